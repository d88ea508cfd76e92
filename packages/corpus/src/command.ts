export interface CommandContext {
  env: NodeJS.ProcessEnv;
  dataDir: string;
  json: boolean;
  /** The command's own options, as given. */
  option: (name: string) => string | undefined;
  flag: (name: string) => boolean;
  args: readonly string[];
  /** Results. */
  out: (line: string) => void;
  /** Progress and warnings. */
  log: (line: string) => void;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  /** Option names with their value's name ('' for a switch) and what they do. */
  options: Readonly<Record<string, readonly [value: string, meaning: string]>>;
  /** How many arguments it takes: fewest and most. */
  arity: readonly [number, number];
  /** The exit code: 0 for success, 1 for a fault that was found or met. */
  run: (context: CommandContext) => Promise<number>;
}
