// Preloaded into the measured process. Answers each message of the parent with the CPU milliseconds of the process so
// far, over all threads. /proc has them in steps of 10 ms only.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000);
});
process.channel?.unref();
process.once('disconnect', () => process.exit());
