import type { EmailMessage, EmailSender } from './email-types-and-nodemailer-message';
import { nodemailerMessage } from './email-types-and-nodemailer-message';

/**
 * The time within which one email must be sent, in milliseconds. It includes connecting to the
 * server.
 */
export const defaultSmtpTimeoutMs = 10_000;

export interface SmtpOptions {
  /**
   * The URL of the server, smtp:// or smtps://, with user and password if the server requires them.
   */
  url: string;
  from: string;
  timeoutMs: number;
}

/** Sends emails through an SMTP server. */
export function createSmtpSender({ url, from, timeoutMs }: SmtpOptions): EmailSender {
  const { username, hostname } = new URL(url);
  // If the URL has a user and a password, the connection to another machine must be encrypted.
  // `?requireTLS=false` in the URL allows an unencrypted connection, for a trusted network.
  const requireTLS = username !== '' && !isLoopback(hostname);
  const stepTimeoutMs = Math.ceil(timeoutMs / 2);
  return {
    from,
    async send(email: EmailMessage) {
      // nodemailer is imported at the first email: the library takes 12 MB of memory, and most
      // processes never send an email.
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

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
