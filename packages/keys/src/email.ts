import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyRequest } from './types';

const purpose = { live: 'production', test: 'development and tests' } as const;

/** Emails the outcome of a key request. Lines are short, so that ASCII needs no transfer encoding. */
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

interface EmailMessage {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
}

interface EmailSender {
  /** The sender's address from the setting MAIL_FROM. Replies go to this address. */
  readonly from: string;
  /** Sends an email. Rejects within seconds if this fails, with a reason for the operator. */
  send(message: EmailMessage): Promise<void>;
}

/** `auto-generated` prevents automatic replies. nodemailer reads no files and URLs. */
const nodemailerMessage = (from: string, message: EmailMessage) => ({
  from,
  ...message,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Writes each email to an .eml file, for somebody to send. Only the owner can read it, because it may contain a key.
 * File names sort by time.
 */
export const createOutboxSender = (outbox: string, from: string, now: () => Date): EmailSender => ({
  from,
  async send(email) {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await transport.sendMail(nodemailerMessage(from, email));
    await mkdir(outbox, { recursive: true });
    await chmod(outbox, 0o700);
    const file = join(outbox, `${now().toISOString().replaceAll(':', '-')}-${randomUUID()}`);
    try {
      await writeFile(`${file}.part`, message, { flag: 'wx', mode: 0o600, flush: true });
      await rename(`${file}.part`, `${file}.eml`);
    } catch (error) {
      await rm(`${file}.part`, { force: true });
      throw error;
    }
  },
});

/** The maximum time for sending one email, in milliseconds, including the connection to the server. */
export const defaultSmtpTimeoutMs = 10_000;

/** Sends by an SMTP server. `url` begins with smtp:// or smtps://, with user and password if required. */
export function createSmtpSender(url: string, from: string, timeoutMs: number): EmailSender {
  const { username, hostname } = new URL(url);
  // Passwords are sent only over TLS, unless to this machine or with `?requireTLS=false`, for a trusted network.
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  const requireTLS = username !== '' && !isLoopback;
  const stepTimeoutMs = Math.ceil(timeoutMs / 2);
  return {
    from,
    async send(email) {
      // The import is dynamic, because nodemailer takes 12 MB of memory and most processes never send an email.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        requireTLS,
        connectionTimeout: stepTimeoutMs,
        greetingTimeout: stepTimeoutMs,
        socketTimeout: stepTimeoutMs,
        dnsTimeout: stepTimeoutMs,
      });
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        await transport.sendMail({ ...nodemailerMessage(from, email), signal });
      } catch (error) {
        if (signal.aborted)
          throw new Error(`the mail server ${hostname} took longer than ${timeoutMs} ms`, { cause: error });
        throw error;
      } finally {
        transport.close();
      }
    },
  };
}
