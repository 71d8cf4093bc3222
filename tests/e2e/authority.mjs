// A certificate authority for a test, made by openssl in its own folder, which is removed at the test's end.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from './atend.mjs';

const run = promisify(execFile);
const NAMES = 'DNS:localhost,IP:127.0.0.1';
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

const CONFIGURATION = `
[ca]
default_ca = test
[test]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
copy_extensions = copy
[names]
commonName = supplied
`;

// A time in openssl's format.
const stamp = (days) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');

// Resolves to { ca, folder, issue, install }: `ca` is the authority's certificate, a file.
export async function createAuthority(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-tls-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = (name) => path.join(folder, name);
  const authority = { folder, ca: file('ca.pem') };
  const openssl = (...args) => run('openssl', args, { cwd: folder });
  let serial = 0;

  await openssl('req', '-x509', ...CURVE, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  writeFileSync(file('index'), '');
  writeFileSync(file('ca.conf'), CONFIGURATION);

  // Makes a certificate for these names, and its key, valid between two days counted from now. Resolves to
  // { cert, key, serial }: two files and the serial number.
  authority.issue = async ({ names = NAMES, from = -1, until = 2, newkey = CURVE } = {}) => {
    const name = `${(serial += 1)}`;
    await openssl('req', ...newkey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=test ${name}`, '-addext', `subjectAltName=${names}`);
    await openssl(
      ...['ca', '-batch', '-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-notext'],
      ...['-startdate', stamp(from), '-enddate', stamp(until), '-in', `${name}.csr`, '-out', `${name}.pem`],
    );
    const { stdout } = await openssl('x509', '-in', `${name}.pem`, '-noout', '-serial');
    return { cert: file(`${name}.pem`), key: file(`${name}.key`), serial: stdout.trim().replace('serial=', '') };
  };

  // Copies a pair to the server's paths, as a renewal does. Returns the server's options for them.
  authority.install = ({ cert, key }) => {
    for (const [from, to] of [[cert, 'cert'], [key, 'key']]) {
      writeFileSync(file(`${to}.new`), readFileSync(from));
      renameSync(file(`${to}.new`), file(to));
    }
    return ['--tls-cert', file('cert'), '--tls-key', file('key')];
  };
  return authority;
}
