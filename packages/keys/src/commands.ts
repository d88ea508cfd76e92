import { auditLine, keyLine, requestLine, requestText, wordsOfDelivery } from './command-text';
import type { Keys, RequestState } from './keys-types';
import { requestStates } from './keys-types';
import type { Environment } from './token';

export interface Asked {
  /** The first argument: a key, or the id of a request. */
  which: string;
  environment: Environment;
  options: Readonly<Partial<Record<OptionName, string | boolean>>>;
}

export interface Answered {
  /** What --json prints. */
  answer: unknown;
  text: string;
  /** False when what was asked for was done by half: the exit status is 1. */
  isDone?: boolean;
}

export const optionHelp = {
  email: { call: '--email ADDRESS', words: 'Whose key it is. One key an address and environment.' },
  name: { call: '--name NAME', words: 'The holder, for people to read.' },
  'requests-per-day': {
    call: '--requests-per-day N',
    words: 'How many requests it has a day, or "default": as many as every key.',
  },
  state: { call: '--state STATE', words: `Only those that are ${requestStates.join(', ')}.` },
  reason: { call: '--reason TEXT', words: 'What the applicant is told.' },
  most: { call: '--most N', words: 'How many lines, newest first (default: 50).' },
} as const;

export type OptionName = keyof typeof optionHelp;

export interface Command {
  summary: string;
  /** What stands after the command: one argument, or nothing. */
  argument: 'KEY' | 'REQUEST' | '[REQUEST]' | null;
  needs: readonly OptionName[];
  takes: readonly OptionName[];
  more: string;
  run(keys: Keys, asked: Asked): Promise<Answered>;
}

const by = 'command';
const keyWords = 'KEY is an id, the last four characters of a key, or the key itself.';
const mailWords =
  'The mail goes to SMTP_URL, else into the outbox. Exit status 1 says that it did not go out; then see: keys resend';
const shownOnce = (token: string, words: string) => `${token}\n\n${words} Keep it: it is not shown again.`;

export const commands = {
  issue: {
    summary: 'Issue a key and print it.',
    argument: null,
    needs: ['email', 'name'],
    takes: ['requests-per-day'],
    more: 'The key is shown this once. Nothing is mailed.',
    async run(keys, { environment, options }) {
      const { key, token } = await keys.issue(
        { email: String(options.email), name: String(options.name), environment, requestsPerDay: askedQuota(options) },
        by,
      );
      return {
        answer: { ...key, token },
        text: shownOnce(token, `This is the ${key.environment} key of ${key.email} (${key.id}).`),
      };
    },
  },
  list: {
    summary: 'The keys issued so far, oldest first.',
    argument: null,
    needs: [],
    takes: [],
    more: '',
    async run(keys) {
      const listed = await keys.list();
      return {
        answer: listed,
        text:
          listed.length === 0
            ? 'No keys yet. Issue one: npm run keys -- issue --email you@example.org --name You'
            : listed.map(keyLine).join('\n'),
      };
    },
  },
  show: {
    summary: 'One key.',
    argument: 'KEY',
    needs: [],
    takes: [],
    more: keyWords,
    async run(keys, { which }) {
      const key = await keys.show(which);
      const words = Object.entries({
        ...key,
        requestsPerDay: key.requestsPerDay ?? 'as every key',
        revokedAt: key.revokedAt ?? 'good',
      });
      return { answer: key, text: words.map(([name, value]) => `${name.padEnd(16)}${String(value)}`).join('\n') };
    },
  },
  revoke: {
    summary: 'Revoke a key. Holds from the next request on.',
    argument: 'KEY',
    needs: [],
    takes: [],
    more: keyWords,
    async run(keys, { which }) {
      const key = await keys.revoke(which, by);
      return { answer: key, text: `Revoked: ${keyLine(key)}` };
    },
  },
  rotate: {
    summary: 'Give the holder of a key another, and print it.',
    argument: 'KEY',
    needs: [],
    takes: [],
    more: `${keyWords} The old key is revoked at once; the new one is shown this once, and nothing is mailed.`,
    async run(keys, { which }) {
      const { key, token } = await keys.rotate(which, by);
      return {
        answer: { ...key, token },
        text: shownOnce(
          token,
          `This is the new ${key.environment} key of ${key.email} (${key.id}); the old one is revoked.`,
        ),
      };
    },
  },
  allow: {
    summary: 'Change how many requests a key has a day.',
    argument: 'KEY',
    needs: ['requests-per-day'],
    takes: [],
    more: `${keyWords} Holds from the next request on; what was used today stays used.`,
    async run(keys, { which, options }) {
      const key = await keys.setRequestsPerDay(which, askedQuota(options), by);
      return {
        answer: key,
        text: `${key.requestsPerDay === null ? 'As many requests a day as every key' : `${key.requestsPerDay} requests a day`}: ${keyLine(key)}`,
      };
    },
  },
  requests: {
    summary: 'What was asked for on the form, oldest first; or one request in full.',
    argument: '[REQUEST]',
    needs: [],
    takes: ['state'],
    more: 'One that is "approved, not delivered" has a key that nobody got: see resend.',
    async run(keys, { which, options }) {
      if (which !== '') {
        const request = await keys.showRequest(which);
        return { answer: request, text: requestText(request) };
      }
      const listed = await keys.requests(options.state as RequestState | undefined);
      return { answer: listed, text: listed.length === 0 ? 'No requests.' : listed.map(requestLine).join('\n') };
    },
  },
  approve: {
    summary: 'Approve a request: issue a key and mail it.',
    argument: 'REQUEST',
    needs: [],
    takes: [],
    more: mailWords,
    run: async (keys, { which }) => outcome(await keys.approve(which, by)),
  },
  reject: {
    summary: 'Reject a request and mail the reason.',
    argument: 'REQUEST',
    needs: ['reason'],
    takes: [],
    more: mailWords,
    run: async (keys, { which, options }) => outcome(await keys.reject(which, by, String(options.reason))),
  },
  resend: {
    summary: 'Mail the outcome of a request again, with a fresh key.',
    argument: 'REQUEST',
    needs: [],
    takes: [],
    more: `The key that was issued before is revoked. ${mailWords}`,
    run: async (keys, { which }) => outcome(await keys.resend(which, by)),
  },
  audit: {
    summary: 'What was done, by whom and when.',
    argument: null,
    needs: [],
    takes: ['most'],
    more: '',
    async run(keys, { options }) {
      const entries = await keys.audit(Number(options.most ?? 50));
      return {
        answer: entries,
        text: entries.length === 0 ? 'Nothing was done yet.' : entries.map(auditLine).join('\n'),
      };
    },
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

function askedQuota(options: Asked['options']): number | null {
  const asked = options['requests-per-day'] ?? 'default';
  return asked === 'default' ? null : Number(asked);
}

function outcome(request: Awaited<ReturnType<Keys['approve']>>): Answered {
  return {
    answer: request,
    text: `${requestText(request)}\n\n${wordsOfDelivery(request)}`,
    isDone: request.deliveryError === null,
  };
}
