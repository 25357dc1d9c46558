import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp } from '../support/app.ts';
import { type BrowserService, choice, openBrowser, type OpenPage } from '../support/browser.ts';
import { findBrowser } from '../support/chromium.ts';
import { createTag, plainPhoto, uploadMedia } from '../support/library.ts';

const missing = findBrowser() === undefined ? 'skipped: chromium is missing (apt-get install chromium)' : undefined;

describe.skipIf(missing !== undefined)(
  `the taxonomy in the browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: BrowserService;
    let opened: OpenPage;
    let page: Page;
    let averley: number;
    let dunmore: number;
    let gulls: number;
    let joy: number;

    const read = async (id: number): Promise<Json> =>
      (await browser.service.call('GET', `/v1/tag/${id}`)).body['tag_option'];
    const find = async (query: string): Promise<Json[]> =>
      (await browser.service.call('GET', `/v1/tag/search?${query}`)).body['tag_options'];
    const byExternal = async (id: string): Promise<Json | undefined> =>
      (await browser.service.call('GET', `/v1/tag?external_id=${id}`)).body['tag_options'][0];
    const choose = async (within: Page | Locator, field: string, text: string): Promise<void> => {
      await within.getByRole('combobox', { name: field }).fill(text);
      await choice(page, text).first().click();
    };
    const goTo = async (path: string): Promise<void> => {
      // As the router does it: the key of the session stays.
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
    };
    const panel = (name: string | RegExp) => page.getByRole('dialog', { name });
    const said = (text: string | RegExp) => page.getByText(text).first().waitFor();

    beforeAll(async () => {
      const service = await startApp();
      averley = await createTag(service, { type: 'club', label: 'Port Averley', external_ids: { opta: 't1' } });
      dunmore = await createTag(service, { type: 'club', label: 'Dunmore', aliases: ['The Moors'] });
      gulls = await createTag(service, {
        type: 'club',
        label: 'Averley Gulls',
        external_ids: { opta: 't9', league: 'c9' },
      });
      joy = await createTag(service, { type: 'tag', category: 'moods', label: 'Joy' });
      for (let n = 0; n < 120; n += 1) {
        const body = { type: 'tag', category: 'chant', label: `Chant ${n}` };
        await createTag(service, body);
      }
      await uploadMedia(service, await plainPhoto(1), { metadata: { tag_options: [averley, gulls, joy] } });
      await uploadMedia(service, await plainPhoto(2), { metadata: { tag_options: [gulls] } });
      browser = await openBrowser(service);
      opened = await browser.open('/admin/taxonomy');
      ({ page } = opened);
    });
    afterAll(async () => {
      await opened?.close();
      await browser?.close();
      await browser?.service.close();
    });

    test('shows types and categories with their numbers, page by page, and leads to the assets', async () => {
      await page.getByRole('link', { name: /^Clubs\s*3$/ }).waitFor();
      await page.getByRole('link', { name: /^chant\s*120$/ }).click();
      await said('1 to 50 of 120');
      await page.getByRole('button', { name: 'Next' }).click();
      await said('51 to 100 of 120');
      await page.getByRole('button', { name: 'Next' }).click();
      await said('101 to 120 of 120');
      expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.type('chant 77');
      await page.getByRole('row', { name: 'Chant 77' }).waitFor();
      await opened.checkAccessibility();
      await page.getByRole('link', { name: /^Clubs/ }).click();
      await page.getByRole('searchbox').fill('');
      await opened.screenshot('taxonomy');
      await page.getByRole('link', { name: '2 assets with Averley Gulls' }).click();
      await expect.poll(() => page.getByRole('option').count()).toBe(2);
      await page.goBack();
      opened.checkConsole();
    });

    test('makes a player with names, an ID and a club, by the keyboard alone', async () => {
      await page.getByRole('link', { name: /^Players/ }).click();
      await page.getByText('Nothing here yet').waitFor();
      await page.getByRole('link', { name: /^Players/ }).focus();
      await page.keyboard.press('n');
      const form = panel('New player');
      await form.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
      await page.keyboard.type('Šeško');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Marko Šeško');
      await form.getByRole('combobox', { name: 'Add a club' }).focus();
      await page.keyboard.type('Port Averley');
      await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Port Averley']);
      await page.keyboard.press('ArrowDown');
      await expect
        .poll(() => page.getByRole('option', { name: 'Port Averley' }).getAttribute('data-focused'))
        .toBe('true');
      await page.keyboard.press('Enter');
      await form.getByRole('textbox', { name: 'Number' }).focus();
      await page.keyboard.type('30');
      await form.getByLabel('From').fill('2025-07-01');
      await form.getByRole('textbox', { name: 'Another name' }).focus();
      await page.keyboard.type('Benji');
      await page.keyboard.press('Enter');
      await form.getByRole('button', { name: 'Add an ID' }).focus();
      await page.keyboard.press('Enter');
      await form.getByRole('textbox', { name: 'System' }).fill('opta');
      await form.getByRole('textbox', { name: 'ID there' }).fill('p1');
      await opened.checkAccessibility();
      await page.keyboard.press('Enter');
      await panel('Marko Šeško').waitFor();
      const [hit] = await find('query=benji&type=player');
      expect(await read(hit?.['id'])).toMatchObject({
        label: 'Šeško',
        full_name: 'Marko Šeško',
        aliases: ['Benji'],
        external_ids: { opta: 'p1' },
        relations: { clubs: [{ club: averley, shirt_number: 30, from: '2025-07-01', to: null }] },
      });
      await page.keyboard.press('Escape');
      await panel('Marko Šeško').waitFor({ state: 'detached' });
      opened.checkConsole();
    });

    test('says at the field what is refused, and saves only what was changed', async () => {
      await page.getByRole('row', { name: /Šeško/ }).click();
      const form = panel('Marko Šeško');
      await form.getByLabel('To', { exact: true }).fill('2024-01-01');
      await form.getByRole('button', { name: 'Save' }).click();
      await form
        .getByText(/expected a date from 2025-07-01 on/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await leave.getByRole('button', { name: 'Go on editing' }).click();
      await form.getByLabel('To', { exact: true }).fill('2027-06-30');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Saved', { exact: true }).waitFor();
      const tag = (await byExternal('opta:p1')) ?? {};
      expect(tag['relations'].clubs).toMatchObject([{ shirt_number: 30, from: '2025-07-01', to: '2027-06-30' }]);
      expect(tag['aliases']).toEqual(['Benji']);
      opened.checkConsole(/400/);

      // Someone else changes it while it is open here.
      await form.getByRole('textbox', { name: 'Full name' }).fill('Marko J. Šeško');
      await browser.service.call('PATCH', `/v1/tag/${tag['id']}`, { body: { category: 'striker' } });
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').waitFor();
      expect(await read(tag['id'])).toMatchObject({ full_name: 'Marko Šeško', category: 'striker' });
      opened.checkConsole(/412/);
      await form.getByRole('button', { name: 'Show it as it is now' }).click();
      await expect.poll(() => form.getByRole('combobox', { name: 'Category' }).inputValue()).toBe('striker');
      await page.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
    });

    test('merges two clubs after saying what moves', async () => {
      await page.getByRole('link', { name: /^Clubs/ }).click();
      await page.getByRole('row', { name: /Averley Gulls/ }).click();
      await panel('Averley Gulls').getByRole('button', { name: 'Merge…' }).click();
      const dialog = panel('Merge Averley Gulls');
      await choose(dialog, 'The other one', 'Port Averley');
      await dialog.getByText('2 assets (1 with both already)').waitFor();
      await dialog.getByText('Port Averley will be on 2 assets.').waitFor();
      await dialog.getByText(/that move: league:c9/).waitFor();
      await dialog.getByText(/stay with the redirect.*opta:t9/).waitFor();
      await opened.screenshot('taxonomy-merge');
      await opened.checkAccessibility();
      await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
      await page.getByRole('button', { name: 'Show it' }).click();
      await panel('Port Averley').waitFor();
      expect(await read(gulls)).toMatchObject({ status: 'merged', merged_into: averley });
      expect(await read(averley)).toMatchObject({
        aliases: ['Averley Gulls'],
        media_count: 2,
        external_ids: { opta: 't1', league: 'c9' },
      });
      await page.keyboard.press('Escape');
      await goTo(`/admin/taxonomy?tag=${gulls}`);
      await panel('Averley Gulls').getByText('It was merged into').waitFor();
      await page.keyboard.press('Escape');
      opened.checkConsole();
    });

    test('deletes what nothing names, and deactivates what assets carry', async () => {
      await goTo(`/admin/taxonomy?kind=tag&tag=${joy}`);
      await panel('Joy').getByRole('button', { name: 'Delete…' }).click();
      const dialog = panel('Delete Joy?');
      await dialog.getByText('It cannot be deleted: it is on 1 asset.').waitFor();
      await dialog.getByRole('button', { name: 'Deactivate instead' }).click();
      await panel('Joy').getByText('Deactivated', { exact: true }).waitFor();
      expect((await read(joy))['status']).toBe('deactivated');
      await page.keyboard.press('Escape');

      await goTo(`/admin/taxonomy?kind=club&tag=${dunmore}`);
      await panel('Dunmore').getByRole('button', { name: 'Delete…' }).click();
      await panel('Delete Dunmore?')
        .getByText(/Nothing else names it/)
        .waitFor();
      await panel('Delete Dunmore?').getByRole('button', { name: 'Delete', exact: true }).click();
      await said('Dunmore was deleted.');
      expect((await browser.service.call('GET', `/v1/tag/${dunmore}`)).status).toBe(404);
      await page.getByRole('row', { name: /Dunmore/ }).waitFor({ state: 'detached' });
      opened.checkConsole();
    });

    test('gives a category another name, and its tags go along', async () => {
      await page.getByRole('link', { name: /^moods/ }).click();
      await page.getByRole('button', { name: 'Rename the category' }).click();
      await panel('Rename moods').getByRole('textbox').fill('mood');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /^mood\s*1$/ }).waitFor();
      expect((await read(joy))['category']).toBe('mood');
      opened.checkConsole();
    });

    test('a roster in CSV is mapped, tried and taken in, and says which line is wrong', async () => {
      await page.getByRole('link', { name: 'Roster' }).click();
      const csv =
        'Player ID;First name;Surname;No;Club;Joined\n' +
        'p1;Marko;Šeško;31;Port Averley;1.7.2025\np2;Ada;Okafor;9;Averley Gulls;2024-07-01\np3;Bo;Berg;nine;Port Averley;\n';
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose a file' }).click(),
      ]);
      await chooser.setFiles({ name: 'squad.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await said('Say which system the IDs are of');
      await page.getByRole('textbox', { name: 'The system that the IDs are of' }).fill('opta');
      await page.getByRole('button', { name: /Shirt number/ }).waitFor();
      await said('2 tag options, 1 row that cannot be read');
      await page.getByRole('button', { name: 'Try it: change nothing' }).click();
      await said(/nothing was changed: 1 created, 1 updated, 0 unchanged, 1 failed/);
      expect(await byExternal('opta:p2')).toBeUndefined();
      await opened.screenshot('roster');
      await opened.checkAccessibility();
      await page.getByRole('button', { name: 'Take 2 tag options in' }).click();
      await said(/Done: 1 created, 1 updated, 0 unchanged, 1 failed/);
      const wrong = page.getByRole('row', { name: /Bo Berg/ });
      expect(await wrong.innerText()).toMatch(
        /4\s+Bo Berg\s+Shirt number: expected a whole number up to 999, received nine/,
      );
      expect(await byExternal('opta:p2')).toMatchObject({
        full_name: 'Ada Okafor',
        relations: { clubs: [{ club: averley, shirt_number: 9, from: '2024-07-01' }] },
      });
      expect((await byExternal('opta:p1'))?.['relations'].clubs).toMatchObject([
        { shirt_number: 31, from: '2025-07-01' },
      ]);
      opened.checkConsole();
    });

    test('a roster of lines can be pasted, and deactivates what is missing only after asking', async () => {
      await page.getByRole('button', { name: 'Another file' }).click();
      const line = { type: 'player', label: 'Okafor', external_ids: { opta: 'p2' } };
      const lost = {
        type: 'player',
        label: 'Lost',
        external_ids: { opta: 'p8' },
        relations: { clubs: [{ club: { source: 'opta', id: 'no' } }] },
      };
      const paste = async (lines: readonly object[]) => {
        await page
          .getByRole('textbox', { name: 'Or paste it' })
          .fill(lines.map((one) => JSON.stringify(one)).join('\n'));
        await page.getByRole('button', { name: 'Go on with the text' }).click();
      };
      await paste([line, lost]);
      await page.getByRole('button', { name: 'Take 2 tag options in' }).click();
      await said(/Done: 0 created, 0 updated, 1 unchanged, 1 failed/);
      await said(/expected a tag option of type club, received opta:no, which is unknown/);
      await page.getByRole('button', { name: 'Another file' }).click();
      await paste([line]);
      await page.getByText('Deactivate players of opta that are not in it').click();
      await page.getByRole('button', { name: 'Try it: change nothing' }).click();
      await said(/nothing was changed:.*1 deactivated/);
      await page.getByRole('button', { name: 'Take 1 tag option in' }).click();
      const ask = panel('Deactivate what is missing?');
      await ask.getByText('At the trial these were 1.').waitFor();
      expect((await byExternal('opta:p1'))?.['status']).toBe('active');
      await ask.getByRole('button', { name: 'Take it in and deactivate' }).click();
      await said(/Done:.*1 deactivated/);
      expect((await byExternal('opta:p1'))?.['status']).toBe('deactivated');
      opened.checkConsole();
    });

    test('the squad of a club on a day, and who was there from when to when', async () => {
      await page.getByRole('tab', { name: 'Squad on a day' }).click();
      await choose(page, 'Club', 'Port Averley');
      await page.getByLabel('Day', { exact: true }).fill('2024-08-01');
      const rows = () => page.getByRole('rowheader').allInnerTexts();
      await expect.poll(rows).toEqual(['Ada Okafor']);
      await page.getByLabel('Day', { exact: true }).fill('2026-01-01');
      await expect.poll(async () => (await rows()).length).toBe(2);
      await page.getByRole('button', { name: 'Change Ada Okafor in this squad' }).click();
      const dialog = panel('Ada Okafor');
      await dialog.getByRole('textbox', { name: 'Shirt number' }).fill('10');
      await dialog.getByLabel('To', { exact: true }).fill('2025-12-31');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await rows()).length).toBe(1);
      expect((await byExternal('opta:p2'))?.['relations'].clubs).toMatchObject([
        { club: averley, shirt_number: 10, from: '2024-07-01', to: '2025-12-31' },
      ]);
      await page.getByRole('button', { name: 'Add a player' }).click();
      await choose(panel('Add a player'), 'Player', 'Okafor');
      await panel('Add a player').getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await rows()).length).toBe(2);
      expect((await byExternal('opta:p2'))?.['relations'].clubs).toMatchObject([
        { club: averley, to: '2025-12-31' },
        { club: averley, from: '2026-01-01', to: null },
      ]);
      await opened.screenshot('squad');
      await opened.checkAccessibility();
      opened.checkConsole();
    });

    test('a key that may only look is told so, and one that may not even do that too', async () => {
      const look = await browser.open('/admin/taxonomy?kind=club', { signedIn: false });
      await look.signIn(await browser.service.createKey({ scopes: ['media.read'] }));
      await look.page.getByText(/it lacks the scope/).waitFor();
      await look.page.getByRole('row', { name: /Port Averley/ }).click();
      const shown = look.page.getByRole('dialog', { name: 'Port Averley' });
      await shown.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
      expect(await shown.getByRole('button', { name: /Save|Merge|Delete/ }).count()).toBe(0);
      expect(await look.page.getByRole('button', { name: /^New/ }).count()).toBe(0);
      await look.page.keyboard.press('Escape');
      await look.page.getByRole('link', { name: 'Roster' }).click();
      await look.page.getByText('This key may not change tags').waitFor();
      look.checkConsole();
      await look.close();
      const blind = await browser.open('/admin/taxonomy', { signedIn: false });
      await blind.signIn(await browser.service.createKey({ scopes: ['delivery.run'] }));
      await blind.page.getByText('This key may not see the taxonomy').waitFor();
      blind.checkConsole();
      await blind.close();
    });

    test.each([
      ['phone', 'dark'],
      ['phone', 'light'],
      ['desktop', 'dark'],
    ] as const)('fits a %s, %s', async (size, theme) => {
      const small = await browser.open(`/admin/taxonomy?tag=${averley}`, { size, theme });
      await small.page.getByRole('dialog', { name: 'Port Averley' }).waitFor();
      await small.screenshot('taxonomy-panel');
      await small.checkAccessibility();
      await small.page.getByRole('button', { name: 'Close' }).click();
      await small.page.getByRole('row', { name: /Port Averley/ }).waitFor();
      await small.screenshot('taxonomy');
      await small.checkAccessibility();
      const wide = await small.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(wide).toBeLessThanOrEqual(0);
      await small.page.getByRole('link', { name: 'Roster' }).click();
      await small.page.getByRole('button', { name: 'Choose a file' }).waitFor();
      await small.screenshot('roster');
      await small.checkAccessibility();
      await small.page.getByRole('tab', { name: 'Squad on a day' }).click();
      await small.page.getByText('Which club?').waitFor();
      await small.checkAccessibility();
      small.checkConsole();
      await small.close();
    });
  },
);
