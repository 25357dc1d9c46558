import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');

/** Stands in for dpkg: a package is installed when its name is a file in `packages`, which lists its files. */
const DPKG = `#!/bin/sh
for name; do :; done
[ -f "$LAB/packages/$name" ] || exit 1
case "$1" in
  --show) printf installed ;;
  --listfiles) cat "$LAB/packages/$name" ;;
esac
`;
const SYSTEMCTL = '#!/bin/sh\necho "$@" >> "$LAB/systemctl"\n';

describe('while the servers of tests are installed', () => {
  let lab = '';
  beforeEach(async () => {
    lab = await mkdtemp(join(tmpdir(), 'touchline-guard-'));
    await mkdir(join(lab, 'bin'));
    await mkdir(join(lab, 'packages'));
    await writeFile(join(lab, 'bin', 'dpkg-query'), DPKG, { mode: 0o755 });
    await writeFile(join(lab, 'bin', 'systemctl'), SYSTEMCTL, { mode: 0o755 });
  });
  afterEach(() => rm(lab, { recursive: true }));

  const policy = (): string => join(lab, 'policy-rc.d');
  const policyText = async (): Promise<string | undefined> => readFile(policy(), 'utf8').catch(() => undefined);
  const turnedOff = async (): Promise<string[]> => {
    const calls = await readFile(join(lab, 'systemctl'), 'utf8').catch(() => '');
    return calls.split('\n').flatMap((call) => call.split(' ').at(-1) || []);
  };
  const serverFiles = '/.\n/usr/sbin/sshd\n/lib/systemd/system/ssh.service\n/lib/systemd/system/ssh@.service\n';

  /** `work` is the body of the installation; `lab` is in its scope, and `write(name, text)`. */
  const guard = (work: string, policyPath = policy()): ChildProcess => {
    const lines = [
      `import { readFileSync, statSync, writeFileSync } from 'node:fs';`,
      `import { withoutServices } from ${JSON.stringify(join(SCRIPTS, 'service-guard.mjs'))};`,
      'const lab = process.env.LAB;',
      'const write = (name, content) => writeFileSync(`${lab}/${name}`, content);',
      `const options = { packages: ['server', 'present'], policyPath: ${JSON.stringify(policyPath)} };`,
      `await withoutServices(options, async () => { ${work} });`,
    ];
    return spawn(process.execPath, ['--input-type=module', '--eval', lines.join('\n')], {
      env: { LAB: lab, PATH: [join(lab, 'bin'), '/usr/bin', '/bin'].join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const begun = async ({ stdout }: ChildProcess): Promise<void> => {
    if (!stdout) throw new Error('expected an output');
    await once(stdout, 'data');
  };
  const ended = async (child: ChildProcess): Promise<{ readonly status: number | null; readonly said: string }> => {
    const said = child.stderr ? text(child.stderr) : '';
    const [status] = await once(child, 'exit');
    return { status, said: await said };
  };

  test('a policy forbids the start of services, and is gone afterwards', async () => {
    const { status } = await ended(
      guard(
        "write('seen', readFileSync(options.policyPath)); write('mode', String(statSync(options.policyPath).mode));",
      ),
    );
    expect(status).toBe(0);
    expect(await readFile(join(lab, 'seen'), 'utf8')).toMatch(/^#!\/bin\/sh\n.*\nexit 101\n$/);
    expect(Number(await readFile(join(lab, 'mode'), 'utf8')) & 0o111).toBe(0o111);
    expect(await policyText()).toBeUndefined();
  });

  test('the units of packages that came are turned off, those that were there stay', async () => {
    await writeFile(join(lab, 'packages', 'present'), '/lib/systemd/system/present.service\n');
    const { said } = await ended(guard(`write('packages/server', ${JSON.stringify(serverFiles)});`));
    expect(await turnedOff()).toEqual(['ssh.service']);
    expect(said).toContain('server: installed for tests only');
    expect(said).not.toContain('present');
  });

  test('nothing is turned off when nothing came', async () => {
    const { said } = await ended(guard(''));
    expect(await turnedOff()).toEqual([]);
    expect(said).toBe('');
  });

  test('a failure takes the policy away and turns off what came', async () => {
    const child = guard(`write('packages/server', ${JSON.stringify(serverFiles)}); throw new Error('broken off');`);
    const { status, said } = await ended(child);
    expect(status).not.toBe(0);
    expect(said).toContain('broken off');
    expect(await policyText()).toBeUndefined();
    expect(await turnedOff()).toEqual(['ssh.service']);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'the policy outlasts a %s until the work ends',
    async (signal) => {
      const lines = [
        'const alive = setInterval(() => {}, 1000);',
        "console.log('begun');",
        `await new Promise((resolve) => process.once('${signal}', resolve));`,
        'clearInterval(alive);',
        "write('then', readFileSync(options.policyPath));",
      ];
      const child = guard(lines.join('\n'));
      await begun(child);
      child.kill(signal);
      await ended(child);
      expect(await readFile(join(lab, 'then'), 'utf8')).toContain('exit 101');
      expect(await policyText()).toBeUndefined();
    },
  );

  test("a policy of the machine's own stays as it is", async () => {
    await writeFile(policy(), '#!/bin/sh\nexit 0\n');
    await chmod(policy(), 0o700);
    await ended(guard("write('seen', readFileSync(options.policyPath));"));
    expect(await readFile(join(lab, 'seen'), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
    expect(await policyText()).toBe('#!/bin/sh\nexit 0\n');
    expect((await stat(policy())).mode & 0o777).toBe(0o700);
  });

  test('the policy of a set-up that was killed is replaced, that of one that runs is not', async () => {
    const killed = guard("console.log('begun'); await new Promise((resolve) => setTimeout(resolve, 20_000));");
    await begun(killed);
    const first = await policyText();
    await ended(guard("write('beside', readFileSync(options.policyPath));"));
    expect(await readFile(join(lab, 'beside'), 'utf8')).toBe(first);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await policyText()).toBe(first);
    await ended(guard("write('after', readFileSync(options.policyPath));"));
    expect(await readFile(join(lab, 'after'), 'utf8')).not.toBe(first);
    expect(await policyText()).toBeUndefined();
  });

  test('nothing is installed where no policy can be written', async () => {
    const { status, said } = await ended(guard("write('installed', '');", join(lab, 'not-there', 'policy-rc.d')));
    expect(status).toBe(0);
    expect(said).toContain('ENOENT');
    await expect(stat(join(lab, 'installed'))).rejects.toThrow('ENOENT');
  });
});
