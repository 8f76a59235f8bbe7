"""Campaign files, and the ledger of a campaign."""
