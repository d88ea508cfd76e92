import { isIP } from 'node:net';
import { type CleanedEnv, customCleanEnv, EnvError, makeValidator, strictProxyMiddleware } from 'envalid';
import { errorMessage } from './logger';
import { type CacheSettings, smallerCaches } from './memory';

/**
 * Creates the validator of a whole number between `min` and `max`. envalid's own `num` reads
 * "100kB" as 100.
 */
export const wholeNumber = (min: number, max: number) =>
  makeValidator<number>((text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text.trim()) || number < min || number > max)
      throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return number;
  });

export const port = wholeNumber(1, 65_535);

/**
 * The validator of a duration in milliseconds, at most one hour. There is a maximum because Node's
 * timers fire at once if they are set to more than 24 days.
 */
export const milliseconds = wholeNumber(1, 3_600_000);

/** The validator of an address or host name on which a server can listen. */
export const address = makeValidator<string>((text) => {
  if (isIP(text) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text))
    throw new EnvError('must be an address such as 127.0.0.1 or ::1, or a name');
  return text;
});

/**
 * The validator of a folder's name. An empty name is rejected, because it would mean the working
 * directory.
 */
export const folder = makeValidator<string>((text) => {
  if (text.trim() === '') throw new EnvError('must name a folder');
  return text;
});

/**
 * The validator of an http or https URL without spaces, quotes, `\`, `$` or backticks, or an empty
 * text.
 */
export const httpUrl = makeValidator<string>((text) => {
  if (text !== '' && !(/^https?:\/\/[^\s"'\\$`]+$/i.test(text) && URL.canParse(text)))
    throw new EnvError('must be a URL that begins with http:// or https://');
  return text;
});

/**
 * Creates the validator of a text that `parse` accepts. `parse` throws an error whose message
 * begins with the setting's name and contains no secret.
 */
export const textFor = (parse: (text: string) => unknown) =>
  makeValidator<string>((text) => {
    try {
      parse(text);
    } catch (error) {
      throw new EnvError(errorMessage(error));
    }
    return text;
  });

/**
 * Reads the settings from the environment. Throws one error with a line for each invalid setting. A
 * line says what the setting must be. No line quotes a secret. The default sizes of caches are
 * smaller if MEMORY_MB or the container limits the process to little memory. The returned object
 * throws a ReferenceError if the code reads a setting that `settings` lacks.
 */
export function readSettings<Settings>(env: NodeJS.ProcessEnv, settings: Settings) {
  return customCleanEnv<Settings, CleanedEnv<Settings>>(
    env,
    settings,
    (config) => strictProxyMiddleware({ ...config, ...smallerCaches(config, settings as CacheSettings, env) }, env),
    { reporter: ({ errors }) => rejectInvalid(errors, env, settings as SettingChoices) },
  );
}

type SettingChoices = Readonly<Record<string, { readonly choices?: readonly unknown[] } | undefined>>;

function rejectInvalid(errors: Partial<Record<string, Error>>, env: NodeJS.ProcessEnv, settings: SettingChoices): void {
  const lines = Object.entries(errors).map(([name, error]) => {
    const choices = settings[name]?.choices;
    const problem = choices ? `must be ${joinChoices(choices)}` : errorMessage(error);
    return problem.startsWith(name)
      ? problem.replace(/[^.]$/, '$&.')
      : `${name} ${problem}${quotedValue(name, env[name])}.`;
  });
  if (lines.length > 0) throw new Error(`${lines.join('\n')} See docs/settings.md.`);
}

const joinChoices = (choices: readonly unknown[]): string =>
  choices
    .map((choice) => (choice === '' ? 'empty' : String(choice)))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

const maxShownCharacters = 60;

function quotedValue(name: string, value = ''): string {
  if (/(SECRET|PASSWORD|PEPPER|KEY)$/.test(name)) return '; what it is now is not shown here';
  const shown = withoutCredentials(value).replaceAll(/\p{Cc}/gu, ' ');
  return `, not '${shown.length > maxShownCharacters ? `${shown.slice(0, maxShownCharacters)}...` : shown}'`;
}

/** Replaces the user and password of a URL with `...`. */
export const withoutCredentials = (text: string): string => text.replace(/\/\/\S*@/, '//...@');
