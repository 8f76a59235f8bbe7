"""What tests of whole runs share: items whose numbers are known, and ways to run them."""
