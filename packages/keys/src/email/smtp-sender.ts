import type { EmailMessage, EmailSender } from './email-sender';
import { nodemailerMessage } from './email-sender';

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  url: string;
  from: string;
  /** How long a mail may take in all. */
  timeoutMs?: number;
}

/** Mail by way of an SMTP server. */
export function createSmtpSender({ url, from, timeoutMs = 10_000 }: SmtpOptions): EmailSender {
  const { username, hostname } = new URL(url);
  // A password must not cross a network in the clear; `?requireTLS=false` in the URL is for a network that is trusted all the same.
  const requireTLS = username !== '' && !isThisMachine(hostname);
  const stepMs = Math.ceil(timeoutMs / 2);
  return {
    from,
    async send(letter: EmailMessage) {
      // Loaded at the first mail: most processes that open keys never send one, and it takes 12 MB.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        requireTLS,
        connectionTimeout: stepMs,
        greetingTimeout: stepMs,
        socketTimeout: stepMs,
        dnsTimeout: stepMs,
      });
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        await transport.sendMail({ ...nodemailerMessage(from, letter), signal });
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

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
