import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { splitList } from '../settings';

/**
 * The length of one time step of the gateway token, in milliseconds.
 *
 * The gateway token proves to a subgraph that a request comes from its gateway, and names the rights of its API key.
 * The Authorization header is `Lectern STEP.PROOF`, or `Lectern STEP.RIGHTS.PROOF` for a key with rights. STEP is the
 * number of steps since 1970. RIGHTS are identifiers of restricted translations, separated by `+`. PROOF is an
 * HMAC-SHA256 of the subgraph's name, the step and the rights, with a secret that gateway and subgraph share.
 * docs/decisions/0003-short-lived-hmac-gateway-token.md gives the reasons for this form.
 */
const stepMs = 5_000;
const tokenPattern = /^Lectern (\d{1,12})\.(?:([a-z\d+-]+)\.)?([\w-]{43})$/;

/**
 * The maximum number of steps by which a token may differ from the subgraph's clock. If the clocks agree, a captured
 * token is worthless after 15 seconds.
 */
const maxStepsApart = 2;

const stepAt = (time: number): number => Math.floor(time / stepMs);

/** `claim` is the step, with the rights of the token if it has any. */
const proofOf = (secret: string, subgraph: string, claim: string): string =>
  createHmac('sha256', secret).update(`${subgraph}.${claim}`).digest('base64url');

/** Parses a list of secrets separated by commas. Throws if a secret is shorter than 32 characters. */
export function parseSecrets(name: string, setting: string): readonly string[] {
  const secrets = splitList(setting);
  if (secrets.some((secret) => secret.length < 32))
    throw new Error(`${name} must have at least 32 characters: make one with \`openssl rand -hex 32\`.`);
  return secrets;
}

/** The subgraph's name, and the current time in milliseconds since 1970. */
interface TokenOptions {
  subgraph: string;
  now: () => number;
}

/** Returns the Authorization header for rights: identifiers of translations, separated by blanks. */
export type GatewayToken = (rights: string) => string;

/**
 * Creates the function that returns the Authorization header of the gateway. It computes the header once for each step
 * of five seconds and each set of rights.
 */
export function createGatewayToken({ secret, subgraph, now }: TokenOptions & { secret: string }): GatewayToken {
  let tokenStep = -1;
  const tokens = new Map<string, string>();
  return (rights) => {
    const step = stepAt(now());
    if (step !== tokenStep) tokens.clear();
    tokenStep = step;
    let token = tokens.get(rights);
    if (token === undefined) {
      const claim = rights === '' ? String(step) : `${step}.${rights.replaceAll(' ', '+')}`;
      token = `Lectern ${claim}.${proofOf(secret, subgraph, claim)}`;
      tokens.set(rights, token);
    }
    return token;
  };
}

/** The maximum number of valid tokens whose proofs a subgraph keeps. */
const maxProofs = 1_000;

/**
 * Creates the subgraph's check of the Authorization header. If the token is valid, `reason` is null and `rights` has the
 * rights of the token, separated by blanks. Otherwise `reason` is for the log. A token made with any of the secrets is
 * valid, so that a secret can be changed without an outage. Proofs are compared in constant time.
 */
export function createGatewayTokenCheck({ secrets, subgraph, now }: TokenOptions & { secrets: readonly string[] }) {
  /** The proofs of valid tokens, by step and rights. */
  const proofs = new Map<string, readonly Buffer[]>();

  const isProof = (proof: Buffer, claim: string): boolean => {
    const known = proofs.get(claim);
    const expected = known ?? secrets.map((secret) => Buffer.from(proofOf(secret, subgraph, claim)));
    if (!expected.some((each) => timingSafeEqual(each, proof))) return false;
    if (!known) {
      if (proofs.size >= maxProofs) proofs.clear();
      proofs.set(claim, expected);
    }
    return true;
  };
  return ({ headers }: IncomingMessage): { readonly reason: string | null; readonly rights: string } => {
    const [, stepText, rights, proofText] = tokenPattern.exec(headers.authorization ?? '') ?? [];
    if (stepText === undefined || proofText === undefined) return { reason: 'no token', rights: '' };
    if (Math.abs(Number(stepText) - stepAt(now())) > maxStepsApart) return { reason: 'the clocks differ', rights: '' };
    const claim = rights === undefined ? stepText : `${stepText}.${rights}`;
    if (!isProof(Buffer.from(proofText), claim)) return { reason: 'another secret', rights: '' };
    return { reason: null, rights: rights?.replaceAll('+', ' ') ?? '' };
  };
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Creates the check of a header with a secret. The request must have the header exactly once, with one of these
 * secrets.
 */
export function createHeaderSecretCheck({ name, secrets }: { name: string; secrets: readonly string[] }) {
  const header = name.toLowerCase();
  // Digests are compared instead of secrets, because timingSafeEqual requires values of equal length.
  const digests = secrets.map(digestOf);
  return ({ headersDistinct }: IncomingMessage): string | null => {
    const [value, ...more] = headersDistinct[header] ?? [];
    if (value === undefined) return 'no header';
    if (more.length > 0) return 'the header was sent twice';
    const digest = digestOf(value);
    // Every digest is compared, so that the response time does not reveal which secret matches.
    const matches = digests.filter((expected) => timingSafeEqual(expected, digest)).length;
    return matches > 0 ? null : 'another header secret';
  };
}
