// The files of a NATS operator, as the program nsc makes them: keys of Ed25519, and tokens (JWT) that each signs for the next.
// https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const PREFIXES = { operator: 14 << 3, account: 0, user: 20 << 3 }; // so that the first letters are O, A and U
const SEED = 18 << 3; // S

function base32(bytes) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.match(/.{1,5}/g).map((five) => letters[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

// The sum at the end of each key: CRC-16/XMODEM.
function withSum(bytes) {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let i = 0; i < 8; i++) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return Buffer.from([...bytes, sum & 0xff, sum >> 8]);
}

// A key of that kind: { id, seed, secret }.
export function makeKey(kind) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = (key, format) => key.export({ format: 'der', type: format }).subarray(-32);
  const prefix = PREFIXES[kind];
  return {
    id: base32(withSum([prefix, ...raw(publicKey, 'spki')])),
    seed: base32(withSum([SEED | (prefix >> 5), (prefix & 31) << 3, ...raw(privateKey, 'pkcs8')])),
    secret: privateKey,
  };
}

// A token about the subject's key, signed by the issuer.
function signToken(kind, subject, issuer, claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nats = { ...claims, type: kind, version: 2 };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ jti: randomBytes(16).toString('hex'), iat: Math.floor(Date.now() / 1000), iss: issuer.id, sub: subject.id, name: kind, nats })}`;
  return `${text}.${sign(null, Buffer.from(text), issuer.secret).toString('base64url')}`;
}

// The text of a credentials file.
export const credentialsOf = (token, { seed }) => `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;

const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const OF_ACCOUNT = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

// Makes an operator with an account. `configuration`: what a server must have. makeUser() returns the text of a credentials file for
// a user with these rights.
export function makeOperator() {
  const [operator, account, system] = [makeKey('operator'), makeKey('account'), makeKey('account')];
  const tokenOf = (key, limits) => signToken('account', key, operator, { limits });
  const configuration = `
operator: ${signToken('operator', operator, operator, { system_account: system.id })}
system_account: ${system.id}
resolver: MEMORY
resolver_preload: {
  ${account.id}: ${tokenOf(account, OF_ACCOUNT)}
  ${system.id}: ${tokenOf(system, { ...OF_ACCOUNT, disk_storage: 0, mem_storage: 0 })}
}
`;
  /** @param {{ publish: string[], subscribe: string[] }} rights */
  const makeUser = ({ publish, subscribe }) => {
    const key = makeKey('user');
    const token = signToken('user', key, account, { pub: { allow: publish }, sub: { allow: subscribe }, ...UNLIMITED });
    return credentialsOf(token, key);
  };
  return { configuration, makeUser };
}
