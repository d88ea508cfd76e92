// Ends a process that runs tests when Jest disconnects at the end of the run, even if a test has
// left a timer or a connection open.
process.once('disconnect', () => process.exit());
