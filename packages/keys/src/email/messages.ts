import type { KeyRequest } from '../types';
import type { EmailSender } from './senders';

const purpose = { live: 'production', test: 'development and tests' } as const;

/** Lines are short, so that an email with ASCII names is sent as written, without an encoding. */
export function createOutcomeEmails(emailSender: EmailSender, publicUrl: string) {
  const closing = `Questions? Reply to this mail; it reaches ${emailSender.from}.\n`;

  return {
    sendApproval: ({ email, name, environment }: KeyRequest, token: string) =>
      emailSender.send({
        to: { name, address: email },
        subject: `Your ${environment} API key for Lectern`,
        text: `Hello ${name},

your request for an API key was approved. Here is your key. It belongs to the
${environment} environment, which is for ${purpose[environment]}:

    ${token}

This mail is the only copy: the service does not store the key in readable form.
To try the key, put it into an environment variable and request a verse:

    read -r LECTERN_KEY    # then paste the key
    curl ${publicUrl}/graphql \\
      -H "Authorization: Bearer $LECTERN_KEY" \\
      -H "Content-Type: application/json" \\
      -d '{"query":"{ randomVerse { reference text } }"}'

How to keep it safe:
- Keep it on your server, in its environment or a store for secrets.
- Never put it into a repository, a web page or an app that you hand out.
- It identifies you: requests with it count against your quota.
- If it leaks or is lost, tell us. We revoke it and send you another key;
  an address has one key per environment.

${closing}`,
      }),

    sendRejection: ({ email, name, environment, reason }: KeyRequest) =>
      emailSender.send({
        to: { name, address: email },
        subject: 'Your request for a Lectern API key',
        text: `Hello ${name},

your request for a ${environment} API key was not approved. The reason:

${(reason ?? '').replaceAll(/^/gm, '    ')}

You are welcome to send a new request when that has changed.

${closing}`,
      }),
  };
}

export type OutcomeEmails = ReturnType<typeof createOutcomeEmails>;
