import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EmailMessage, EmailSender } from './email-types-and-nodemailer-message';
import { nodemailerMessage } from './email-types-and-nodemailer-message';

/**
 * Writes each email as an .eml file into a folder, for an operator or a program to send.
 * Emails contain keys, so folder and files are readable by their owner alone.
 * Only complete files have the extension .eml. File names sort by time.
 */
export function createOutboxSender({
  folder,
  from,
  now,
}: {
  folder: string;
  from: string;
  now: () => Date;
}): EmailSender {
  const outbox = resolve(folder);
  return {
    from,
    async send(email: EmailMessage) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await transport.sendMail(nodemailerMessage(from, email));
      await mkdir(outbox, { recursive: true });
      await chmod(outbox, 0o700);
      const name = `${now().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
      const draft = join(outbox, `${name}.part`);
      try {
        await writeFile(draft, message, { flag: 'wx', mode: 0o600, flush: true });
        await rename(draft, join(outbox, `${name}.eml`));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}
