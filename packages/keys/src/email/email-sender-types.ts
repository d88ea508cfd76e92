export interface EmailMessage {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends emails from one address: by SMTP, or into an outbox folder. */
export interface EmailSender {
  /** The sender's address, as MAIL_FROM has it. Replies reach this address. */
  readonly from: string;
  /**
   * Resolves when the message is handed over. Rejects within seconds, with a reason for the
   * operator, if that fails.
   */
  send(message: EmailMessage): Promise<void>;
}

/**
 * The message in nodemailer's form. Marks the message as automatic, so that no machine replies.
 * Forbids nodemailer to read files or URLs, because no message of ours has attachments.
 */
export const nodemailerMessage = (from: string, { to, subject, text }: EmailMessage) => ({
  from,
  to: { ...to },
  subject,
  text,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
