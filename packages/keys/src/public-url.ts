import type { KeysSettings } from './settings';

/** The URL of a service on this machine. */
export const localUrl = (port: number): string => `http://localhost:${port}`;

/** The URL at which clients reach the service, without a slash at its end. */
export const publicUrl = ({ PUBLIC_URL, PORT }: Pick<KeysSettings, 'PUBLIC_URL' | 'PORT'>): string =>
  PUBLIC_URL === '' ? localUrl(PORT) : PUBLIC_URL.replace(/\/+$/, '');
