import { allTools, createLogger, findTools, messageOf, missingCapabilities } from '../base/index.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { listOrganizations } from '../library/index.ts';
import { openStorage } from '../storage/index.ts';
import type { CommandIo } from './io.ts';

type Check = { readonly name: string; readonly ok: boolean; readonly note: string };

async function attempt(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, note: await work() };
  } catch (error) {
    return { name, ok: false, note: messageOf(error) };
  }
}

/** `touchline doctor`: says of every part whether it works; 0 when the service can run. */
export async function runDoctor(_args: readonly string[], io: CommandIo): Promise<number> {
  const config = readConfig(io.env);
  const logger = createLogger({ level: 'silent' });
  const checks = [
    await attempt('node', async () => process.version),
    await attempt('database', async () => {
      const installation = await openInstallation(config, logger);
      try {
        const organizations = await listOrganizations(installation.db);
        const kind = installation.embedded
          ? `embedded, ${installation.embedded.adopted ? 'running' : 'stopped'}`
          : 'DATABASE_URL';
        return `${kind}, organizations: ${organizations.map((one) => one.slug).join(', ') || 'none'}`;
      } finally {
        await installation.close();
      }
    }),
    await attempt('storage', async () => {
      const storage = await openStorage(config.storage, { tempDirectory: config.dataDir, logger });
      await storage.check(AbortSignal.timeout(10_000));
      await storage.close();
      return 'writable';
    }),
  ];
  for (const check of checks) io.stdout.write(`${check.ok ? 'ok  ' : 'FAIL'} ${check.name}: ${check.note}\n`);
  const missing = missingCapabilities(findTools({ path: config.path }));
  for (const { tool, capability, howToGet } of missing) io.stdout.write(`off  ${tool}: ${capability}. ${howToGet}\n`);
  if (missing.length === 0) io.stdout.write(`ok   tools: ${allTools().join(', ')}\n`);
  return checks.every((check) => check.ok) ? 0 : 1;
}
