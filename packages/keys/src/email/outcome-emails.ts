import type { KeyRequest } from '../keys-types';
import type { EmailSender } from './email-sender';

export interface OutcomeEmails {
  /** Hands the key to the one who asked for it. */
  sendApproval(request: KeyRequest, token: string): Promise<void>;
  /** Tells why not. */
  sendRejection(request: KeyRequest): Promise<void>;
}

const purpose = { live: 'production', test: 'development and tests' } as const;

/** What applicants are told by mail. Lines are short, so that a mail stays as it is written here, unencoded, as long as its names are ASCII. */
export function createOutcomeEmails({
  emailSender,
  publicUrl,
}: {
  emailSender: EmailSender;
  publicUrl: string;
}): OutcomeEmails {
  const closing = `Questions? Answer this mail; it reaches ${emailSender.from}.\n`;

  return {
    sendApproval: ({ email, name, environment }, token) =>
      emailSender.send({
        to: { name, address: email },
        subject: `Your ${environment} API key for Lectern`,
        text: `Hello ${name},

your request for an API key was approved. Here is your key. It belongs to the
${environment} environment, which is for ${purpose[environment]}:

    ${token}

It stands in this mail and nowhere else: the service keeps no copy that could
be read. To try it, put it into an environment variable and ask for a verse:

    read -r LECTERN_KEY    # then paste the key
    curl ${publicUrl}/graphql \\
      -H "Authorization: Bearer $LECTERN_KEY" \\
      -H "Content-Type: application/json" \\
      -d '{"query":"{ randomVerse { reference text } }"}'

How to keep it:
- Keep it on your server, in its environment or a store for secrets.
- Never put it into a repository, a web page or an app that you hand out.
- It stands for you: what is asked with it counts against your quota.
- Has it leaked or been lost? Tell us. We revoke it and send you another;
  an address has one key in an environment.

${closing}`,
      }),

    sendRejection: ({ email, name, environment, reason }) =>
      emailSender.send({
        to: { name, address: email },
        subject: 'Your request for a Lectern API key',
        text: `Hello ${name},

your request for a ${environment} API key was not approved. The reason:

${(reason ?? '')
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}

You are welcome to ask again when that has changed.

${closing}`,
      }),
  };
}
