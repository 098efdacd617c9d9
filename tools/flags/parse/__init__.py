"""Read the words of a launch as a vLLM release would, and go on where its parser would stop."""
