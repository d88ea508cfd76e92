import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { splitList } from '../settings';

/**
 * The length of a time step, in milliseconds. The token proves to a subgraph that its gateway sends a request, and
 * names the rights of its key. The Authorization header is `Lectern STEP.PROOF`, or `Lectern STEP.RIGHTS.PROOF`. STEP
 * counts time steps since 1970, RIGHTS are restricted translations separated by `+`, and PROOF is an HMAC-SHA256 of
 * subgraph, step and rights with a shared secret: docs/decisions/0003-short-lived-hmac-gateway-token.md.
 */
const stepMs = 5_000;
const tokenPattern = /^Lectern (\d{1,12})\.(?:([a-z\d+-]+)\.)?([\w-]{43})$/;

/** If the clocks agree, a captured token is worthless after 15 seconds. */
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

/** Computes the header once for each step and each set of rights. */
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
 * Checks the Authorization header. Of a valid token, `reason` is null, and `rights` are separated by blanks. Any of the
 * secrets is valid, so that they can be changed without an outage. Proofs are compared in constant time.
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

/** The request must have the header exactly once, with one of these secrets. */
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
