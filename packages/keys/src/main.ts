import { runKeysCommand } from './command';

process.exitCode = runKeysCommand(process.argv.slice(2), { env: process.env, out: (line) => console.log(line), err: (line) => console.error(line) });
