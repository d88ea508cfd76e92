import { isIP } from 'node:net';
import { cleanEnv, EnvError, makeValidator } from 'envalid';

/** A whole number within these bounds. What else envalid's own `num` takes, such as 100 for "100kB", nobody means. */
export const wholeNumber = (least: number, most: number) =>
  makeValidator<number>((text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text.trim()) || number < least || number > most)
      throw new EnvError(`must be a whole number from ${least} to ${most}`);
    return number;
  });

export const port = wholeNumber(1, 65_535);

const longestWaitMs = 3_600_000;

/** How long something may take. Timers take no more than 24 days, and nobody waits for an hour. */
export const milliseconds = wholeNumber(1, longestWaitMs);

/** What a server can listen on: an address, or a name of this machine. */
export const address = makeValidator<string>((text) => {
  if (isIP(text) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text))
    throw new EnvError('must be an address such as 127.0.0.1 or ::1, or a name');
  return text;
});

/** The name of a folder. An empty one would be the folder that the process happens to run in. */
export const folder = makeValidator<string>((text) => {
  if (text.trim() === '') throw new EnvError('must name a folder');
  return text;
});

/** A URL that begins with http, or nothing. */
export const httpUrl = makeValidator<string>((text) => {
  if (text !== '' && !(/^https?:\/\/[^\s"'\\$`]+$/i.test(text) && URL.canParse(text)))
    throw new EnvError('must be a URL that begins with http:// or https://');
  return text;
});

/** Text that a parser takes. Its error is what is said; it begins with the setting's name, and shows no secret. */
export const textFor = (parse: (text: string) => unknown) =>
  makeValidator<string>((text) => {
    try {
      parse(text);
    } catch (error) {
      throw new EnvError(messageOf(error));
    }
    return text;
  });

/** What these settings are in this environment. Throws with a line for each that makes no sense: what it must be, and what it is unless that is a secret. */
export function readSettings<Settings>(env: NodeJS.ProcessEnv, settings: Settings) {
  return cleanEnv(env, settings, {
    reporter: ({ errors }) => refuse({ errors, env, settings: settings as Described }),
  });
}

type Described = Readonly<Record<string, { readonly choices?: readonly unknown[] } | undefined>>;

interface Refused {
  errors: Readonly<Record<string, Error | undefined>>;
  env: NodeJS.ProcessEnv;
  settings: Described;
}

function refuse({ errors, env, settings }: Refused): void {
  const faults = Object.entries(errors).map(([name, error]) => {
    const choices = settings[name]?.choices;
    const fault = choices ? `must be ${inWords(choices)}` : messageOf(error);
    return fault.startsWith(name) ? fault.replace(/[^.]$/, '$&.') : `${name} ${fault}${given(name, env[name])}.`;
  });
  if (faults.length > 0) throw new Error(`${faults.join('\n')} See docs/settings.md.`);
}

const inWords = (choices: readonly unknown[]): string =>
  choices
    .map((choice) => (choice === '' ? 'empty' : String(choice)))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

const longestShown = 60;

function given(name: string, value = ''): string {
  if (/(SECRET|PASSWORD|PEPPER|KEY)$/.test(name)) return '; what it is now is not shown here';
  const shown = withoutCredentials(value).replaceAll(/\p{Cc}/gu, ' ');
  return `, not '${shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown}'`;
}

/** A URL without its user and password. */
export const withoutCredentials = (text: string): string => text.replace(/\/\/\S*@/, '//...@');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
