import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

export interface Instruction {
  readonly name: string;
  /** The flags of the instruction by name: `--from=build` is stored as `from` -> `build`. */
  readonly flags: ReadonlyMap<string, string>;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  /** The base of the stage: an earlier stage, or an image. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/**
 * Parses a Dockerfile. Supports only the syntax that our Dockerfile uses: comments, line
 * continuations, flags and named stages.
 */
export function parseDockerfile(text: string): {
  buildArguments: ReadonlyMap<string, string>;
  stages: readonly Stage[];
} {
  const buildArguments = new Map<string, string>();
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const instruction of lines.map(parseInstruction)) {
    const { name, rest } = instruction;
    if (name === 'FROM') {
      const [, from = '', stage = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      stages.push({
        name: stage,
        from: from.replace(/\$\{(\w+)\}/, (_, variable: string) => buildArguments.get(variable) ?? ''),
        instructions: [],
      });
    } else if (stages.length === 0) {
      const [, variable = '', value = ''] = /^(\w+)=(\S+)$/.exec(rest) ?? [];
      buildArguments.set(variable, value);
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return { buildArguments, stages };
}

function parseInstruction(line: string): Instruction {
  const [, name = '', flags = '', rest = ''] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? [];
  return {
    name,
    flags: new Map([...flags.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value])),
    rest: rest.replace(/\s+/g, ' '),
  };
}

/** Reads the repository's Dockerfile. */
export function readDockerfile() {
  const { stages } = parseDockerfile(readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8'));

  const stage = (name: string): Stage => {
    const found = stages.find((each) => each.name === name);
    if (!found) throw new Error(`the Dockerfile has no stage ${name}`);
    return found;
  };
  /** Lists the instructions of a stage, preceded by those of the stages on which it is based. */
  const instructionsOf = (name: string): Instruction[] => {
    const { from, instructions } = stage(name);
    return [...(stages.some((each) => each.name === from) ? instructionsOf(from) : []), ...instructions];
  };
  const last = (target: string, name: string): string | null =>
    instructionsOf(target).findLast((instruction) => instruction.name === name)?.rest ?? null;

  return {
    stages,
    stage,
    instructionsOf,
    last,
    baseImage: stages.find(({ name }) => name === 'base')?.from ?? '',
    /** The names of the stages with a CMD. Each of these stages is an image to build. */
    targets: stages
      .map(({ name }) => name)
      .filter((name) => instructionsOf(name).some((instruction) => instruction.name === 'CMD')),
    environment: (target: string): Record<string, string> => {
      const pairs = instructionsOf(target)
        .filter(({ name }) => name === 'ENV')
        .flatMap(({ rest }) => rest.split(' ').map((pair) => pair.split('=')));
      return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
    },
    command: (target: string): string[] => JSON.parse(last(target, 'CMD') ?? 'null') as string[],
    /** Returns the command of an image's health check, or null if the image has no health check. */
    healthcheck: (target: string): string[] | null => {
      const [, command = null] = /CMD (\[.*)$/.exec(last(target, 'HEALTHCHECK') ?? '') ?? [];
      return command === null ? null : (JSON.parse(command) as string[]);
    },
    copies: (target: string): { from: string; source: string; to: string }[] =>
      instructionsOf(target)
        .filter(({ name }) => name === 'COPY')
        .map(({ flags, rest }) => {
          const [source = '', to = ''] = rest.split(' ');
          return { from: flags.get('from') ?? '', source, to };
        }),
  };
}

export type Dockerfile = ReturnType<typeof readDockerfile>;
