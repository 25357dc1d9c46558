import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, plainPhoto, uploadMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(`rules in the browser${missing === undefined ? '' : ` (${missing})`}`, () => {
  const SLOW = { timeout: 30_000, interval: 100 } as const;
  let service: TestApp;
  let browser: BrowserService;
  let opened: OpenPage;
  let page: Page;
  let root: string;
  let club: number;
  let rival: number;
  let sent: number;
  let agency: number;
  let seed = 0;

  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await service.call('POST', path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const createFolder = async (name: string): Promise<number> => {
    const path = join(root, name);
    await mkdir(path, { recursive: true });
    const path_template = '{club|slug}/{media.name}.{media.ext}';
    return (await post('/v1/destination', { name, kind: 'folder', config: { path }, path_template }))['destination'].id;
  };
  const upload = async (name: string, metadata: object): Promise<number> => {
    seed += 1;
    return (await uploadMedia(service, await plainPhoto(seed), { name, metadata }))['id'];
  };
  const rules = async (): Promise<Json[]> => (await service.call('GET', '/v1/rule')).body['rules'];
  const named = async (name: string): Promise<Json> =>
    (await rules()).find((one) => one['name'] === name) ?? expect.fail(`no rule ${name}`);
  const tagsOf = async (id: number): Promise<number[]> =>
    (await service.call('GET', `/v1/media/${id}`)).body['media'].tag_options.map((one: Json) => one['id']);
  const newestEvent = async (): Promise<Json> => (await service.call('GET', '/v1/event?limit=1')).body;
  const row = (name: string): Locator => page.getByRole('listitem', { name, exact: true });
  const step = (n: number): Locator => page.getByRole('listitem', { name: new RegExp(`^Step ${n}: `) });
  const editor = (): Locator => page.getByRole('dialog', { name: /^(New rule|Change )/ });
  const chooseTag = async (within: Locator, label: string, option: string): Promise<void> => {
    await within.getByRole('combobox', { name: label, exact: true }).fill(option);
    await choice(page, option).click();
  };
  const choose = async (within: Locator, label: RegExp, option: string): Promise<void> => {
    await within.getByRole('button', { name: label }).click();
    await choice(page, option, { exact: true }).click();
  };
  const addStep = async (name: string): Promise<void> => {
    await editor().getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'touchline-rules-'));
    service = await startApp({ DELIVERY_FOLDERS: root });
    club = await createTag(service, { type: 'club', label: 'Port Averley' });
    rival = await createTag(service, { type: 'club', label: 'Norrvika' });
    sent = await createTag(service, { type: 'tag', label: 'sent' });
    agency = await createFolder('Press agency');
    await upload('goal.jpg', { tag_options: [club] });
    await upload('secret.jpg', { tag_options: [club], usage: 'limited' });
    await upload('other.jpg', { tag_options: [rival] });
    browser = await openBrowser(service);
    opened = await browser.open('/deliver/rules');
    ({ page } = opened);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await service?.close();
    if (root !== undefined) await rm(root, { recursive: true, force: true });
  });

  test('a dry run shows before it is saved what a rule would have done, and writes nothing', async () => {
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    await editor().getByText('3 assets of the library meet it now.').waitFor();
    await chooseTag(editor(), 'With a tag', 'Port Averley');
    await editor().getByText('2 assets of the library meet it now.').waitFor();
    await choose(step(1), /Destination$/, 'Press agency');
    const paths = step(1).getByRole('status', { name: 'The newest assets that meet the filter would be' });
    await paths.waitFor();
    expect(await paths.locator('code').allTextContents()).toEqual(['port-averley/secret.jpg', 'port-averley/goal.jpg']);
    await addStep('Put tags on');
    await chooseTag(step(2), 'Tag', 'sent');
    const before = await newestEvent();
    await editor().getByRole('button', { name: 'Dry run' }).click();
    await editor()
      .getByText('It would have run 4 times, of which 2 stopped on the way. 6 events were looked at.')
      .waitFor();
    const runs = editor().getByRole('list', { name: 'What it would have done' });
    const [good, stopped] = [
      runs.getByRole('listitem').filter({ hasText: 'goal.jpg' }).first(),
      runs.getByRole('listitem').filter({ hasText: 'secret.jpg' }).first(),
    ];
    await good.getByText('port-averley/goal.jpg').waitFor();
    await good.getByText('Put tags on (sent): done').waitFor();
    await stopped.getByText('Deliver: not possible: the usage of asset 2 is limited').waitFor();
    expect(await newestEvent()).toEqual(before);
    expect(await rules()).toEqual([]);
    await opened.screenshot('rule-dry-run');
    await opened.checkAccessibility();
    opened.checkConsole();
  });

  test('the rule that was tried is made, and does what it said on what happens from then on', async () => {
    await editor().getByRole('button', { name: 'Create the rule' }).click();
    await editor().getByText('Please fill out this field.').waitFor();
    await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('Averley to the agency');
    await editor().getByRole('button', { name: 'Create the rule' }).click();
    await editor().waitFor({ state: 'detached' });
    await row('Averley to the agency').getByText('It has not run yet.').waitFor();
    await row('Averley to the agency')
      .getByText(
        'When an asset with Port Averley is ready or is tagged anew: deliver it to Press agency, then put on sent.',
      )
      .waitFor();
    expect(await rules()).toMatchObject([
      {
        enabled: true,
        status: 'active',
        on: ['media.ready', 'media.tags_changed'],
        filter: { club: [club] },
        then: [
          { do: 'deliver', destination_id: agency },
          { do: 'add_tags', tag_option_ids: [sent] },
        ],
      },
    ]);
    const media = await upload('header.jpg', { tag_options: [club] });
    await upload('private.jpg', { tag_options: [club], usage: 'limited' });
    await expect.poll(() => tagsOf(media), SLOW).toContain(sent);
    await expect.poll(() => readdir(join(root, 'Press agency')), SLOW).toEqual(['port-averley']);
    await row('Averley to the agency')
      // Where the rule comes late to the tags of an upload, it runs on them and on the file.
      .getByText(/^It ran \d times, [12] of them not to the end/)
      .waitFor();
    opened.checkConsole();
  });

  test('its log says of each run what was done, and why not', async () => {
    await row('Averley to the agency').getByRole('button', { name: 'Runs' }).click();
    const log = page.getByRole('dialog', { name: 'What Averley to the agency did' });
    const runs = log.getByRole('list', { name: 'Runs' });
    for (const name of ['header.jpg', 'private.jpg']) await runs.getByRole('link', { name }).first().waitFor();
    await opened.screenshot('rule-runs');
    await opened.checkAccessibility();
    await choose(log, /Runs$/, 'Stopped on the way');
    await expect.poll(() => runs.getByRole('link', { name: 'header.jpg' }).count(), SLOW).toBe(0);
    await runs
      .getByText(/^Deliver: not possible: the usage of asset \d+ is limited/)
      .first()
      .waitFor();
    await choose(log, /Runs$/, 'Failed');
    await log.getByText('None of these.').waitFor();
    await page.keyboard.press('Escape');
    await log.waitFor({ state: 'detached' });
    opened.checkConsole();
  });

  test('a filter is put together of chips, a kind, words and JSON, and changed without losing any', async () => {
    await post('/v1/saved-search', { name: 'Both clubs', request: { club: { any: [club, rival] }, sort: 'name' } });
    await page.reload();
    await page.getByRole('button', { name: 'New rule' }).click();
    await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('Large ones');
    await editor().getByRole('button', { name: 'Take a saved search' }).click();
    await page.getByRole('menuitem', { name: 'Both clubs' }).click();
    await chooseTag(editor(), 'With a tag', 'sent');
    await editor()
      .getByRole('button', { name: /^With sent/ })
      .click();
    await page.getByRole('menuitem', { name: 'Without' }).click();
    await choose(editor(), /Of the kind$/, 'Photos');
    await editor().getByRole('textbox', { name: 'With the words' }).fill('cup');
    await editor().getByRole('button', { name: 'More, as JSON' }).click();
    const json = editor().getByRole('textbox', { name: 'And what else holds, as JSON of a filter' });
    await json.fill('{"width": ');
    await editor().getByText('Expected JSON, such as').waitFor();
    await json.fill('{"width": {"gte": 3000}}');
    await editor().getByText('0 assets of the library meet it now.').waitFor();
    await step(1).getByRole('button', { name: 'Remove step 1' }).click();
    await editor().getByText('A rule does one thing at least.').waitFor();
    await addStep('Set its usage');
    await choose(step(1), /Usage$/, 'Approved');
    await addStep('Put tags on');
    await chooseTag(step(2), 'Tag', 'sent');
    await step(2).getByRole('button', { name: 'Move step 2 up' }).click();
    await editor().getByText('On', { exact: true }).click();
    await opened.screenshot('rule-filter');
    await opened.checkAccessibility();
    await editor().getByRole('button', { name: 'Create the rule' }).click();
    await editor().waitFor({ state: 'detached' });
    const made = await named('Large ones');
    const filter = {
      club: { any: [club, rival] },
      tag_options: { none: [sent] },
      media_type: 'photo',
      text: 'cup',
      width: { gte: 3000 },
    };
    expect(made).toMatchObject({ enabled: false, status: 'disabled', filter });
    expect(made['then']).toEqual([
      { do: 'add_tags', tag_option_ids: [sent] },
      { do: 'set_usage', usage: 'approved' },
    ]);
    await row('Large ones').getByText('Off', { exact: true }).waitFor();

    await row('Large ones').getByRole('button', { name: 'Change' }).click();
    await editor().getByRole('button', { name: 'Remove Norrvika' }).click();
    await editor().getByRole('textbox', { name: 'With the words' }).fill('');
    await editor().getByText('Something else of it changes').click();
    await editor().getByRole('button', { name: 'Save', exact: true }).click();
    await editor().waitFor({ state: 'detached' });
    const { text: _text, ...rest } = filter;
    const changed = await named('Large ones');
    expect(changed['filter']).toEqual({ ...rest, club: { any: [club] } });
    expect(changed['on']).toEqual(['media.ready', 'media.tags_changed', 'media.updated']);
    expect(changed['then']).toEqual(made['then']);
    opened.checkConsole();
  });

  test('one is switched on and off in the list', async () => {
    await page.getByRole('switch', { name: 'Large ones is on' }).focus();
    await page.keyboard.press('Space');
    await row('Large ones').getByText('Active').waitFor();
    expect(await named('Large ones')).toMatchObject({ enabled: true });
    await page.keyboard.press('Space');
    await row('Large ones').getByText('Off', { exact: true }).waitFor();
    expect(await named('Large ones')).toMatchObject({ enabled: false });
    opened.checkConsole();
  });

  test('one whose destination is gone is broken, says what it misses, and runs again with another one', async () => {
    const other = await createFolder('Second agency');
    await service.call('DELETE', `/v1/destination/${agency}`);
    await row('Averley to the agency').getByText('Broken').waitFor();
    await row('Averley to the agency')
      .getByText(/\/then\/0\/destination_id/)
      .waitFor();
    await row('Averley to the agency').getByRole('button', { name: 'Change' }).click();
    await step(1)
      .getByRole('button', { name: /which is gone/ })
      .waitFor();
    await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('Averley to another one');
    await choose(step(1), /Destination$/, 'Second agency');
    await editor().getByRole('button', { name: 'Save', exact: true }).click();
    await editor().waitFor({ state: 'detached' });
    expect(await named('Averley to another one')).toMatchObject({
      status: 'active',
      failure: null,
      then: [{ destination_id: other }, { do: 'add_tags' }],
    });
    opened.checkConsole();
  });

  test('what the service refuses is said where it is', async () => {
    await page.getByRole('button', { name: 'New rule' }).click();
    await editor().getByRole('textbox', { name: 'Name', exact: true }).fill('Clips of everything');
    await step(1).getByRole('button', { name: 'Remove step 1' }).click();
    await addStep('Cut a clip of the action');
    await editor().getByRole('button', { name: 'Create the rule' }).click();
    await editor()
      .getByText(/expected only events of actions for a step that cuts a clip/)
      .waitFor();
    opened.checkConsole(/400/);
    for (const event of ['An uploaded file is ready', 'Its tags change', 'An action is recorded']) {
      await editor().getByText(event).click();
    }
    await choose(step(1), /Shape$/, '9:16, story');
    await step(1).getByRole('textbox', { name: 'Seconds shown before' }).fill('5');
    await editor().getByRole('button', { name: 'Create the rule' }).click();
    await editor().waitFor({ state: 'detached' });
    expect(await named('Clips of everything')).toMatchObject({
      on: ['action.created'],
      then: [{ do: 'clip', aspect: '9:16', lead_ms: 5000 }],
    });
    opened.checkConsole();
  });

  test('one is deleted after a question', async () => {
    await row('Clips of everything').getByRole('button', { name: 'Delete Clips of everything' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete Clips of everything?' });
    await question.getByRole('button', { name: 'Delete the rule' }).click();
    await row('Clips of everything').waitFor({ state: 'detached' });
    expect((await rules()).map((one) => one['name'])).toEqual(['Averley to another one', 'Large ones']);
    opened.checkConsole();
  });

  test('a key that may deliver reads them and their log, and changes none', async () => {
    const other = await browser.open('/deliver/rules', { signedIn: false });
    await other.signIn(await service.createKey({ scopes: ['media.read', 'delivery.run'] }));
    await other.page.getByRole('button', { name: 'Runs' }).first().waitFor();
    for (const name of ['New rule', 'Change']) {
      expect(await other.page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await other.page.getByRole('switch').count()).toBe(0);
    other.checkConsole();
    await other.close();
  });

  test.each([
    { size: 'phone', theme: 'light' },
    { size: 'phone', theme: 'dark' },
    { size: 'desktop', theme: 'dark' },
  ] as const)('the list and the form fit a $size in $theme colours', async (look) => {
    const other = await browser.open('/deliver/rules', look);
    await other.page.getByRole('button', { name: 'Runs' }).first().waitFor();
    await other.screenshot('rules');
    await other.checkAccessibility();
    await other.page
      .getByRole('listitem', { name: 'Large ones', exact: true })
      .getByRole('button', { name: 'Change' })
      .click();
    await other.page.getByText(/of the library meet it now/).waitFor();
    await other.screenshot('rule-form');
    await other.checkAccessibility();
    expect(await other.page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    other.checkConsole();
    await other.close();
  });
});
