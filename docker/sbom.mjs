// Prints the components of flockd as a CycloneDX list, for programs that look for known vulnerabilities. The components are
// the Debian packages of the files that stdin names, with their versions on this machine, and the npm packages in the page.
//
//   printf '%s\n' /usr/lib/x86_64-linux-gnu/libuv.so.1 | node docker/sbom.mjs
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (name) => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');

// Returns the lines that dpkg-query prints. Ignores its status, which is 1 if it does not know one of the files.
const dpkg = (...args) => spawnSync('dpkg-query', args, { encoding: 'utf8' }).stdout.trim().split('\n');

// /lib is a link to /usr/lib. A package may list a file under either path.
const otherPath = (file) => (file.startsWith('/usr/') ? file.slice('/usr'.length) : `/usr${file}`);

// Returns the packages that own these files.
function ownersOf(files) {
  const owners = new Map(dpkg('--search', ...files, ...files.map(otherPath)).map((line) => line.split(': ').reverse()));
  const unowned = files.filter((file) => !owners.has(file) && !owners.has(otherPath(file)));
  if (unowned.length > 0) throw new Error(`of no Debian package: ${unowned.join(', ')}`);
  return [...new Set(owners.values())].sort();
}

function debian(files) {
  const { VERSION_ID: release } = Object.fromEntries(
    readFileSync('/etc/os-release', 'utf8').split('\n').map((line) => line.replaceAll('"', '').split('=')),
  );
  const format = '${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n';
  return dpkg('--show', '--showformat', format, ...ownersOf(files)).map((line) => {
    const [name, version, architecture, source, sourceVersion] = line.split('\t');
    return {
      type: 'library',
      name,
      version,
      purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}`,
      properties: [{ name: 'debian:source', value: `${source} ${sourceVersion}` }],
    };
  });
}

// Returns the packages in the page, without packages that only build it (`dev` in the lock file).
function npm() {
  const { packages } = JSON.parse(read('clients/web/package-lock.json'));
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { version, license, integrity }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return {
        type: 'library',
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        licenses: [{ license: { id: license } }],
        hashes: [{ alg: 'SHA-512', content: hash }],
      };
    });
}

const files = readFileSync(0, 'utf8').trim().split('\n');
const version = read('Makefile').match(/^VERSION := (.*)$/m)[1];
const list = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name: 'flockd', version, licenses: [{ license: { id: 'MIT' } }] } },
  components: [...debian(files), ...npm()],
};
console.log(JSON.stringify(list, null, 2));
