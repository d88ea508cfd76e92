export const signInPath = '/admin/sign-in';

/** Where a sign-in leads back to: a page of the operator's own, whatever the address says. Neither dots nor escapes lead out of /admin. */
export function safeReturnPath(text: string): string {
  return /^\/admin(\/[\w-]+)*(\?[\w%.~+=&*-]*)?$/.test(text) && !text.startsWith(signInPath) ? text : '/admin';
}

export const signInUrl = (target: string): string => `${signInPath}?to=${encodeURIComponent(safeReturnPath(target))}`;
