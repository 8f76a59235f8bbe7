"""What a person should look at in a decomposition: what got lost, what was added, and what cannot be judged alone."""
