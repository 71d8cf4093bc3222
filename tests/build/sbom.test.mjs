// The list of what flockd is made of, and the root of an image, as `make sbom` leaves them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { root } from '../e2e/server.mjs';

const image = `${root}/build/image`;

before(() => execFileSync('make', ['-s', 'sbom'], { cwd: root, stdio: 'pipe' }));

test('the list names each library with its version, and the packages of the page', () => {
  const list = JSON.parse(readFileSync(`${root}/build/sbom.json`, 'utf8'));
  assert.deepEqual([list.bomFormat, list.specVersion], ['CycloneDX', '1.5']);
  const { name, version } = list.metadata.component;
  assert.equal(execFileSync(`${root}/build/flockd`, ['--version'], { encoding: 'utf8' }).trim(), `${name} ${version}`);

  const found = new Map(list.components.map((each) => [each.name, each.version]));
  const [, libc] = execFileSync('dpkg-query', ['--show', 'libc6'], { encoding: 'utf8' }).split(/\s/);
  assert.equal(found.get('libc6'), libc);
  for (const start of ['libwebsockets1', 'libwebsockets-evlib-uv', 'libuv1', 'libssl3', 'libsqlite3-0', 'libmsgpack', 'libutf8proc', 'libqrencode']) {
    assert.ok([...found.keys()].some((each) => each.startsWith(start)), start);
  }
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}/clients/web/package.json`, 'utf8'));
  for (const [each, wanted] of Object.entries(dependencies)) assert.equal(found.get(each), wanted);
  for (const each of Object.keys(devDependencies)) assert.ok(!found.has(each), `${each} is not part of the page`);
  for (const { purl } of list.components) assert.match(purl, /^pkg:(deb\/debian|npm)\/[^@\s]+@[^@\s]+$/);
});

test("the programs run with the image's files alone", { skip: process.getuid() !== 0 && 'needs root' }, () => {
  for (const name of ['flockd', 'flock-term', 'flock-sim']) {
    assert.match(execFileSync('chroot', [image, `/usr/local/bin/${name}`, '--version'], { encoding: 'utf8' }), new RegExp(`^${name} \\d`));
  }
});
