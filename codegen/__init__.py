"""From contracts to code: reads `contracts/`, judges it, writes `mymcp/_generated/`."""
