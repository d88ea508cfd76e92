export interface EmailMessage {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** A way for mail to go out. */
export interface EmailSender {
  /** Whom an answer reaches, as it stands in MAIL_FROM. */
  readonly from: string;
  /** Resolves when the mail is handed over. Rejects within seconds, with a reason for the operator, when it is not. */
  send(letter: EmailMessage): Promise<void>;
}

/** Goes with every mail. What the service sends holds nothing to be read from a disk or a URL, and wants no answer by a machine. */
export const nodemailerMessage = (from: string, { to, subject, text }: EmailMessage) => ({
  from,
  to: { ...to },
  subject,
  text,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
