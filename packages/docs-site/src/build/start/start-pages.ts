import { escaped, inline, namesIn, plain } from '../html.ts';
import { inChinese } from '../navigation/words-zh.ts';
import { slugOf } from '../reference/operation.ts';
import { codeBlock, sampleFences, sampleTabs } from '../samples/code.ts';
import type { SitePage } from '../site-page.ts';
import { type FurtherPage, type JourneyCode, journey } from './journey.ts';

/** Sets the variables that every sample reads, from the file that a sandbox writes at its start. */
export const KEY_COMMANDS = `# In the checkout, where the platform was started.
value() { node -p "require(path.resolve('\${DATA_DIR:-./.data}', 'quickstart.json')).$1"; }
export PARCELWAY_API_KEY=$(value tenant.api_key)
export PARCELWAY_BASE_URL=$(value base_url)
export PARCELWAY_CA_FILE=$(value ca_file)
export CURL_CA_BUNDLE=$PARCELWAY_CA_FILE           # curl
export NODE_EXTRA_CA_CERTS=$PARCELWAY_CA_FILE      # Node`;

/** The certificate of a sandbox is its own: how further languages learn of it. The client for Python reads the file by itself. */
const CERTIFICATE_COMMANDS = `export REQUESTS_CA_BUNDLE=$PARCELWAY_CA_FILE       # Python with requests, as in the API reference
export SSL_CERT_FILE=$PARCELWAY_CA_FILE            # Go
keytool -importcert -noprompt -alias parcelway -file "$PARCELWAY_CA_FILE" -keystore parcelway.p12 -storepass changeit
export JAVA_TOOL_OPTIONS="-Dfile.encoding=UTF-8 -Djavax.net.ssl.trustStore=$PWD/parcelway.p12 -Djavax.net.ssl.trustStorePassword=changeit"
alias php="php -d curl.cainfo=$PARCELWAY_CA_FILE"  # PHP`;

/** Installs the client for Python, in the checkout of the platform. It comes before the variables: with them pip trusts the sandbox alone. */
const INSTALL_COMMANDS = `cd parcelway        # where the platform was started
pip install ./clients/python`;

const FIRST_TRY = ['Upload the label', 'Upload the packing list', 'Submit a forecast', 'Let the warehouse weigh it', 'Query the weighing'];

/** Ways in: title, address from `docs`, words. */
const WAYS: readonly (readonly [title: string, href: string, words: string])[] = [
  ['First parcel', 'docs/first-parcel', 'From the upload of a label to tracking and verified webhooks, in six languages.'],
  ['Guides', 'docs/guides', 'How the platform behaves: repeats, limits, statuses, errors.'],
  ['API reference', 'docs/api', 'Every route, with samples that you can send from the page.'],
  ['Webhooks', 'docs/guides/webhooks', 'Register, verify, respond, replay.'],
  ['The clients for Node and Python', 'docs/guides/sdk', 'Typed calls, retries, verified webhooks.'],
  ['The client for Python', 'docs/guides/python', 'Its first five minutes, every method, webhooks on your own machine.'],
  ['Import from a spreadsheet', 'docs/guides/merchants/import-from-a-spreadsheet', 'Forecasts from CSV or XLSX, without a program.'],
  ['Generated clients', 'docs/guides/merchants/generated-clients', 'Java, Go, Python, PHP and TypeScript from the OpenAPI document.'],
  ['Warehouses', 'docs/guides/warehouses', 'Report arrivals, weighings, photos and dispatches.'],
  ['Packing bench', 'docs/guides/station', 'Scan, weigh, photograph and label parcels in a browser.'],
];

const PURPOSE =
  'Parcelway connects merchants, warehouses and carriers across borders. Merchants announce parcels, warehouses report what they weigh and photograph, and everybody learns what happens by queries and by signed webhooks.';

const PACKAGES =
  'The samples in Python and Node use the clients of the platform, which are not published yet. This installs the one for Python, 3.10 or newer, from the checkout. Node has its client there already; in a project of your own, run `npm install /path/to/parcelway/packages/sdk`. The samples in other languages need no package. Install packages before you set the variables below: where they name the certificate of the sandbox, curl, pip and others trust nothing else in that terminal.';

/** The start page. @param code of the journey, by language */
export function startPage(code: JourneyCode): SitePage {
  const steps = journey(code).filter(({ title }) => FIRST_TRY.includes(title));
  const ways = WAYS.map(
    ([title, href, words]) => `<li><a href="${href}"${inChinese(title)}>${escaped(title)}</a><p>${escaped(words)}</p></li>`,
  );
  const tries = steps.map(
    ({ title, words, samples }) =>
      `<h3 id="${slugOf(title)}">${escaped(title)}</h3>\n<p>${inline(words)}</p>\n${sampleTabs(samples, title, 'docs.md')}`,
  );
  const text = steps.map(({ title, words, samples }) => `### ${title}\n\n${words}\n\n${sampleFences(samples, ['curl', 'node', 'python'])}`);
  return {
    path: 'docs',
    title: 'Documentation',
    lead: PURPOSE,
    section: 'start',
    html: `<h1>Documentation</h1>
<p class="lead">${escaped(PURPOSE)}</p>
<ul class="ways">
${ways.join('\n')}
</ul>
<h2 id="three-minutes">Try it in three minutes</h2>
<p>A sandbox plays the warehouse and the carrier.</p>
<p>${inline(PACKAGES)}</p>
${codeBlock(INSTALL_COMMANDS, 'bash', 'Install the client for Python')}
<p>At its start the sandbox writes <code>quickstart.json</code> into its data directory, <code>.data</code> by default: its address, the demo key of a merchant (<code>tenant.api_key</code>) and of a warehouse, and its certificate. These lines read them, so that no key is in a page or in your history:</p>
${codeBlock(KEY_COMMANDS, 'bash', 'Read the demo key')}
${tries.join('\n')}
<p>Next: <a href="docs/first-parcel">the first parcel</a>, in your language, with your first verified webhook.</p>
<h2 id="for-programs">For programs</h2>
<p><a href="llms.txt"><code>llms.txt</code></a> lists all pages for language models. Append <code>.md</code> to the address of a page for its Markdown version. <a href="openapi.json"><code>openapi.json</code></a> and <a href="asyncapi.json"><code>asyncapi.json</code></a> describe the API and the events.</p>
`,
    toc: [
      { id: 'three-minutes', text: 'Try it in three minutes', depth: 2 },
      ...steps.map(({ title }) => ({ id: slugOf(title), text: title, depth: 3 })),
      { id: 'for-programs', text: 'For programs', depth: 2 },
    ],
    markdown: `# Documentation\n\n${PURPOSE}\n\n${WAYS.map(([title, href, words]) => `- [${title}](${href}.md): ${words}`).join('\n')}\n\n## Try it in three minutes\n\n${PACKAGES}\n\n\`\`\`sh\n${INSTALL_COMMANDS}\n\`\`\`\n\nA sandbox writes its address, its demo keys and its certificate into \`quickstart.json\` in its data directory. These lines read them:\n\n\`\`\`bash\n${KEY_COMMANDS}\n\`\`\`\n\n${text.join('\n\n')}\n\nNext: [the first parcel](docs/first-parcel.md), in your language, with your first verified webhook.\n`,
    search: [
      { id: '', heading: 'Documentation', text: PURPOSE },
      { id: 'three-minutes', heading: 'Try it in three minutes', text: 'demo key quickstart.json sandbox curl install client' },
    ],
  };
}

const furtherHtml = (further: readonly FurtherPage[] = []): string =>
  further.length === 0
    ? ''
    : `\n<p>More: ${further.map(([title, path]) => `<a href="${path.replace('docs/', '')}">${escaped(title)}</a>`).join(', ')}.</p>`;

const furtherMarkdown = (further: readonly FurtherPage[] = []): string =>
  further.length === 0 ? '' : `\n\nMore: ${further.map(([title, path]) => `[${title}](${path.replace('docs/', '')}.md)`).join(', ')}.`;

/** The journey of a parcel, in every language. @param code of the journey, by language */
export function journeyPage(code: JourneyCode): SitePage {
  const steps = journey(code);
  const lead = 'From the upload of a label to tracking and verified webhooks, in six languages.';
  const variables =
    'Every sample reads the key and the address of the platform from the variables `PARCELWAY_API_KEY` and `PARCELWAY_BASE_URL`. These lines read them from the file that the sandbox writes at its start:';
  const elsewhere =
    'For a sandbox on another machine, set the variables yourself: key and address are those that its operator gives you. If its certificate is not of a public authority, ask for the file that `ca_file` of its `quickstart.json` names, and set `PARCELWAY_CA_FILE` and the variables of your language to it; otherwise leave these out. Without the checkout, ask for the package file of the client as well: `pip wheel --no-deps ./clients/python` in the checkout makes the one for Python, which `pip install` takes.';
  const certificate =
    'The certificate of a sandbox on your machine is its own, so further languages need to learn of it. A program that does not know it fails with an error such as `CERTIFICATE_VERIFY_FAILED` or `self-signed certificate`. Set what your language needs:';
  return {
    path: 'docs/first-parcel',
    title: 'First parcel',
    lead,
    section: 'start',
    html: `<h1>First parcel</h1>
<p class="lead">${lead}</p>
<h2 id="packages">Packages</h2>
<p>${inline(PACKAGES)}</p>
${codeBlock(INSTALL_COMMANDS, 'bash', 'Install the client for Python')}
<h2 id="key">Key, address and certificate</h2>
<p>${inline(variables)}</p>
${codeBlock(KEY_COMMANDS, 'bash', 'Read the demo key')}
<p>${certificate}</p>
${codeBlock(CERTIFICATE_COMMANDS, 'bash', 'Certificate of the sandbox')}
<p>${inline(elsewhere)}</p>
${steps
  .map(({ title, words, samples, outcome, further }, index) => {
    const seen = outcome === undefined ? '' : `\n<p>${inline(outcome.words)}</p>\n${codeBlock(outcome.output, 'text', 'Output')}`;
    return `<h2 id="${slugOf(title)}">${index + 1}. ${escaped(title)}</h2>\n<p>${inline(words)}</p>\n${sampleTabs(samples, title, 'first-parcel.md')}${seen}${furtherHtml(further)}`;
  })
  .join('\n')}
`,
    toc: [
      { id: 'packages', text: 'Packages', depth: 2 },
      { id: 'key', text: 'Key, address and certificate', depth: 2 },
      ...steps.map(({ title }) => ({ id: slugOf(title), text: title, depth: 2 })),
    ],
    markdown: `# First parcel\n\n${lead}\n\n## Packages\n\n${PACKAGES}\n\n\`\`\`sh\n${INSTALL_COMMANDS}\n\`\`\`\n\n## Key, address and certificate\n\n${variables}\n\n\`\`\`bash\n${KEY_COMMANDS}\n\`\`\`\n\n${certificate}\n\n\`\`\`bash\n${CERTIFICATE_COMMANDS}\n\`\`\`\n\n${elsewhere}\n\n${steps
      .map(({ title, words, samples, outcome, further }) => {
        const seen = outcome === undefined ? '' : `\n\n${outcome.words}\n\n\`\`\`text\n${outcome.output}\n\`\`\``;
        return `## ${title}\n\n${words}\n\n${sampleFences(samples)}${seen}${furtherMarkdown(further)}`;
      })
      .join('\n\n')}\n`,
    search: [
      { id: '', heading: 'First parcel', text: lead },
      { id: 'packages', heading: 'Packages', text: plain(PACKAGES), code: namesIn(INSTALL_COMMANDS) },
      {
        id: 'key',
        heading: 'Key, address and certificate',
        text: plain(`${variables} ${certificate} ${elsewhere}`),
        code: namesIn(`${KEY_COMMANDS}\n${CERTIFICATE_COMMANDS}`),
      },
      ...steps.map(({ title, words, samples }) => ({
        id: slugOf(title),
        heading: title,
        text: plain(words),
        code: namesIn(Object.values(samples).join('\n')),
      })),
    ],
  };
}
