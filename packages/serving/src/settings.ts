import { isIP } from 'node:net';
import { bool, type CleanedEnv, customCleanEnv, EnvError, makeValidator, str, strictProxyMiddleware } from 'envalid';
import { errorMessage } from './logger';
import { type CacheSettings, smallerCaches } from './memory';

/** Creates the validator of a whole number between `min` and `max`. envalid's own `num` would read "100kB" as 100. */
export const wholeNumber = (min: number, max: number) =>
  makeValidator<number>((text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text.trim()) || number < min || number > max)
      throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return number;
  });

export const port = wholeNumber(1, 65_535);

/** A duration in milliseconds, at most one hour. With more than 24 days, a timer of Node.js would fire at once. */
export const milliseconds = wholeNumber(1, 3_600_000);

export const logLevel = (spec: { default: 'info' | 'warn'; desc: string }) =>
  str({ ...spec, choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] });

/** Splits a setting at commas. Trims the items and leaves out empty items. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** The settings of every process that parses Bible references. */
export const parserSettings = {
  PRELOAD_PARSER: bool({
    default: true,
    desc: 'Whether the process prepares its parser of references when it starts: true or false. Preparing takes 0.5 s of processor time and 20 to 30 MB of memory. If false, the first requests with references take longer.',
  }),
};
/** The setting REQUEST_CPU_MS of every process that executes requests. */
export const requestCpuSetting = milliseconds({
  default: 2_000,
  desc: 'How long any request may compute, in milliseconds of CPU time in the gateway and its subgraphs together, with the embedding model. A request of a high cost may compute for 7 ms for each point, if that is longer. Waiting does not count. Fields that are not ready then are null, with the error REQUEST_TOO_EXPENSIVE.',
});

/** The setting DRAIN_MS of every process that serves clients itself, behind load balancers. */
export const drainSetting = wholeNumber(
  0,
  3_600_000,
)({
  default: 2_000,
  desc: 'How long new connections are still accepted after SIGTERM, in milliseconds, while /ready says 503. Choose more than the interval at which load balancers check /ready. With 0, and after SIGINT, they are accepted until none arrives for 50 ms, for about 2 s at most, or 5 s on a busy machine.',
});

/** `problem` is the rest of the error message for an invalid value, beginning with "must". */
const text = (isValid: (text: string) => boolean, problem: string) =>
  makeValidator<string>((value) => {
    if (!isValid(value)) throw new EnvError(problem);
    return value;
  });

/** An address or host name on which a server can listen. */
export const address = text(
  (value) => isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value),
  'must be an address such as 127.0.0.1 or ::1, or a name',
);

/** The name of a folder. Must not be empty, because an empty name would mean the working directory. */
export const folder = text((value) => value.trim() !== '', 'must name a folder');

/** An http or https URL without spaces, quotes, `\`, `$` or backticks, or an empty text. Slashes at its end are removed. */
export const httpUrl = makeValidator<string>((value) => {
  if (value !== '' && !(/^https?:\/\/[^\s"'\\$`]+$/i.test(value) && URL.canParse(value)))
    throw new EnvError('must be a URL that begins with http:// or https://');
  return value.replace(/(?<!\/)\/+$/, '');
});

/** A setting that `parse` accepts. Its messages must begin with the setting's name and contain no secret. */
export const textFor = (parse: (text: string) => unknown) =>
  makeValidator<string>((value) => {
    try {
      parse(value);
    } catch (error) {
      throw new EnvError(errorMessage(error));
    }
    return value;
  });

/** The values of settings, as `readSettings` returns them. */
export type SettingValues<Settings extends Record<string, { _parse: (text: string) => unknown }>> = {
  readonly [Name in keyof Settings]: ReturnType<Settings[Name]['_parse']>;
};

/**
 * Throws one error with a line for each invalid setting, without secrets. With limited memory, the default sizes of
 * caches are smaller. Reading a setting that is not in `settings` throws a ReferenceError.
 */
export function readSettings<Settings>(env: NodeJS.ProcessEnv, settings: Settings) {
  return customCleanEnv<Settings, CleanedEnv<Settings>>(
    env,
    settings,
    (config) => strictProxyMiddleware({ ...config, ...smallerCaches(config, settings as CacheSettings, env) }, env),
    { reporter: ({ errors }) => rejectInvalid(errors, env, settings as SettingChoices) },
  );
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

type SettingChoices = Readonly<Record<string, { readonly choices?: readonly unknown[] } | undefined>>;

function rejectInvalid(errors: Partial<Record<string, Error>>, env: NodeJS.ProcessEnv, settings: SettingChoices): void {
  const lines = Object.entries(errors).map(([name, error]) => {
    const choices = settings[name]?.choices;
    const names = choices?.map((choice) => (choice === '' ? 'empty' : String(choice)));
    const problem = names ? `must be ${alternatives.format(names)}` : errorMessage(error);
    return problem.startsWith(name)
      ? problem.replace(/[^.]$/, '$&.')
      : `${name} ${problem}${quotedValue(name, env[name])}.`;
  });
  if (lines.length > 0) throw new Error(`${lines.join('\n')} See docs/settings.md.`);
}

const maxShownCharacters = 60;

function quotedValue(name: string, value = ''): string {
  if (/(SECRET|PASSWORD|PEPPER|KEY)$/.test(name)) return '; what it is now is not shown here';
  const shown = withoutCredentials(value).replaceAll(/\p{Cc}/gu, ' ');
  return `, not '${shown.length > maxShownCharacters ? `${shown.slice(0, maxShownCharacters)}...` : shown}'`;
}

/** Replaces the users and passwords of URLs in a text with `...`: all between `//` and the last `@` before a blank. */
export const withoutCredentials = (text: string): string =>
  text.replaceAll(/\S+/g, (word) => {
    const [start, end] = [word.indexOf('//'), word.lastIndexOf('@')];
    return start >= 0 && end > start ? `${word.slice(0, start)}//...${word.slice(end)}` : word;
  });
