import {
  AuthenticationError,
  DeadlineError,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
} from '@lectern/client';
import { isOfflineError } from './offline/offline-error-messages';

export interface Explanation {
  /** The failure, in one sentence. */
  readonly title: string;
  /** The advice to the user. Empty if there is none. */
  readonly advice: string;
  /** Whether a setting may be the cause: the key or the address of the service. */
  readonly isSetting: boolean;
}

/** Says in plain words why a request failed, and what to do. */
export function explainError(error: unknown, url: string): Explanation {
  if (error instanceof AuthenticationError)
    return setting('The service does not accept this key.', 'Enter another key in the settings.');
  if (error instanceof RateLimitError)
    return other('This key has used all its requests for now.', `Try again ${whenText(error.retryAfterMs)}.`);
  if (error instanceof InvalidResponseError)
    return setting(
      'Something other than a Lectern service answered.',
      `Check the address in the settings: ${url}. A proxy or a sign-in page of your network may also have answered.`,
    );
  if (error instanceof NetworkError && !navigator.onLine)
    return other('There is no network.', 'Try again when you are connected.');
  if (error instanceof NetworkError)
    return setting(
      'The service cannot be reached.',
      `Check that it is running, and its address in the settings: ${url}.`,
    );
  if (error instanceof DeadlineError) return other('The service did not answer in time.', 'Try again.');
  if (error instanceof LecternError)
    return other(sentence(error.message), isUsersInput(error) || !error.requestId ? '' : `Request ${error.requestId}.`);
  if (isOfflineError(error)) return other(error.message, '');
  return other('An error occurred in the reader.', String(error));
}

/** Whether the address of the screen or the input is the cause, so that the operator need not know the request. */
const isUsersInput = ({ code }: LecternError): boolean => code === 'NOT_FOUND' || code === 'BAD_USER_INPUT';

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const setting = (title: string, advice: string): Explanation => ({ title, advice, isSetting: true });
const other = (title: string, advice: string): Explanation => ({ title, advice, isSetting: false });

function whenText(milliseconds: number | null): string {
  if (milliseconds === null) return 'later';
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 100) return `in ${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}
