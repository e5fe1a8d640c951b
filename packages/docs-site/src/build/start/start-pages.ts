import { codeBlock, sampleFences, sampleTabs } from '../code-samples.ts';
import { escaped, inline, plain } from '../html.ts';
import { inChinese } from '../navigation/in-chinese.ts';
import { slugOf } from '../reference/operation.ts';
import type { Samples } from '../samples/samples.ts';
import type { SitePage } from '../site-page.ts';
import { journey } from './journey.ts';

/** Sets the variables that every sample reads, from the file that a sandbox writes at its start. */
export const KEY_COMMANDS = `cd parcelway        # where the platform was started
value() { node -p "require(path.resolve('\${DATA_DIR:-./.data}', 'quickstart.json')).$1"; }
export PARCELWAY_API_KEY=$(value tenant.api_key)
export CURL_CA_BUNDLE=$(value ca_file)`;

/** The certificate of a sandbox is its own: how each language learns of it. */
const CERTIFICATE_COMMANDS = `export CURL_CA_BUNDLE=$(value ca_file)             # curl
export NODE_EXTRA_CA_CERTS=$CURL_CA_BUNDLE         # Node
export REQUESTS_CA_BUNDLE=$CURL_CA_BUNDLE          # Python
export SSL_CERT_FILE=$CURL_CA_BUNDLE               # Go
keytool -importcert -noprompt -alias parcelway -file "$CURL_CA_BUNDLE" -keystore parcelway.p12 -storepass changeit
export JAVA_TOOL_OPTIONS="-Dfile.encoding=UTF-8 -Djavax.net.ssl.trustStore=$PWD/parcelway.p12 -Djavax.net.ssl.trustStorePassword=changeit"
alias php="php -d curl.cainfo=$CURL_CA_BUNDLE"     # PHP`;

const FIRST_TRY = ['Submit a forecast', 'Let the warehouse weigh it', 'Query the weighing'];

/** Ways in: title, address from `docs`, words. */
const WAYS: readonly (readonly [title: string, href: string, words: string])[] = [
  ['First parcel', 'docs/first-parcel', 'From the first upload to a verified webhook, in six languages.'],
  ['Guides', 'docs/guides', 'How the platform behaves: repeats, limits, statuses, errors.'],
  ['API reference', 'docs/api', 'Every route, with samples that you can send from the page.'],
  ['Webhooks', 'docs/guides/webhooks', 'Register, verify, respond, replay.'],
  ['The clients for Node and Python', 'docs/guides/sdk', 'Typed calls, retries, verified webhooks.'],
  ['Import from a spreadsheet', 'docs/guides/merchants/import-from-a-spreadsheet', 'Forecasts from CSV or XLSX, without a program.'],
  ['Generated clients', 'docs/guides/merchants/generated-clients', 'Java, Go, Python, PHP and TypeScript from the OpenAPI document.'],
  ['Warehouses', 'docs/guides/warehouses', 'Report arrivals, weighings, photos and dispatches.'],
  ['Packing bench', 'docs/guides/station', 'Scan, weigh, photograph and label parcels in a browser.'],
];

const PURPOSE =
  'Parcelway connects merchants, warehouses and carriers across borders. Merchants announce parcels, warehouses report what they weigh and photograph, and everybody learns what happens by queries and by signed webhooks.';

/** The start page. @param verify code that verifies a webhook, by language */
export function startPage(verify: Samples): SitePage {
  const steps = journey(verify).filter(({ title }) => FIRST_TRY.includes(title));
  const ways = WAYS.map(
    ([title, href, words]) => `<li><a href="${href}"${inChinese(title)}>${escaped(title)}</a><p>${escaped(words)}</p></li>`,
  );
  const tries = steps.map(
    ({ title, words, samples }) =>
      `<h3 id="${slugOf(title)}">${escaped(title)}</h3>\n<p>${inline(words)}</p>\n${codeBlock(samples.curl ?? '', 'bash', title)}`,
  );
  const text = steps.map(({ title, words, samples }) => `### ${title}\n\n${words}\n\n${sampleFences(samples, ['curl'])}`);
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
<p>A sandbox plays the warehouse and the carrier. At its start it writes <code>quickstart.json</code> into its data directory, <code>.data</code> by default: its address, the demo key of a merchant (<code>tenant.api_key</code>) and of a warehouse, and its certificate. These lines read them, so that no key is in a page or in your history:</p>
${codeBlock(KEY_COMMANDS, 'bash', 'Read the demo key')}
${tries.join('\n')}
<p>Next: <a href="docs/first-parcel">the first parcel</a>, in your language.</p>
<h2 id="for-programs">For programs</h2>
<p><a href="llms.txt"><code>llms.txt</code></a> lists all pages for language models, <a href="llms-full.txt"><code>llms-full.txt</code></a> holds them all. The address of every page has a version in Markdown: append <code>.md</code>. <a href="openapi.json"><code>openapi.json</code></a> and <a href="asyncapi.json"><code>asyncapi.json</code></a> describe the API and the events.</p>
`,
    toc: [
      { id: 'three-minutes', text: 'Try it in three minutes', depth: 2 },
      ...steps.map(({ title }) => ({ id: slugOf(title), text: title, depth: 3 })),
      { id: 'for-programs', text: 'For programs', depth: 2 },
    ],
    markdown: `# Documentation\n\n${PURPOSE}\n\n${WAYS.map(([title, href, words]) => `- [${title}](${href}.md): ${words}`).join('\n')}\n\n## Try it in three minutes\n\nA sandbox writes its address, its demo keys and its certificate into \`quickstart.json\` in its data directory. These lines read them:\n\n\`\`\`bash\n${KEY_COMMANDS}\n\`\`\`\n\n${text.join('\n\n')}\n`,
    search: [
      { id: '', heading: 'Documentation', text: PURPOSE },
      { id: 'three-minutes', heading: 'Try it in three minutes', text: 'demo key quickstart.json sandbox curl' },
    ],
  };
}

/** The journey of a parcel, in every language. @param verify code that verifies a webhook, by language */
export function journeyPage(verify: Samples): SitePage {
  const steps = journey(verify);
  const lead = 'From the first upload to a verified webhook, in six languages.';
  const certificate =
    'The certificate of a sandbox is its own, so each language needs to learn of it. An installation with a certificate of a public authority needs none of these lines.';
  return {
    path: 'docs/first-parcel',
    title: 'First parcel',
    lead,
    section: 'start',
    html: `<h1>First parcel</h1>
<p class="lead">${lead}</p>
<h2 id="key">Key and certificate</h2>
<p>Every sample reads the key from the variable <code>PARCELWAY_API_KEY</code>. ${certificate}</p>
${codeBlock(KEY_COMMANDS, 'bash', 'Read the demo key')}
${codeBlock(CERTIFICATE_COMMANDS, 'bash', 'Certificate of the sandbox')}
${steps
  .map(
    ({ title, words, samples }, index) =>
      `<h2 id="${slugOf(title)}">${index + 1}. ${escaped(title)}</h2>\n<p>${inline(words)}</p>\n${sampleTabs(samples, title, 'first-parcel.md')}`,
  )
  .join('\n')}
`,
    toc: [
      { id: 'key', text: 'Key and certificate', depth: 2 },
      ...steps.map(({ title }) => ({ id: slugOf(title), text: title, depth: 2 })),
    ],
    markdown: `# First parcel\n\n${lead}\n\n## Key and certificate\n\n${certificate}\n\n\`\`\`bash\n${KEY_COMMANDS}\n${CERTIFICATE_COMMANDS}\n\`\`\`\n\n${steps
      .map(({ title, words, samples }) => `## ${title}\n\n${words}\n\n${sampleFences(samples)}`)
      .join('\n\n')}\n`,
    search: [
      { id: '', heading: 'First parcel', text: lead },
      ...steps.map(({ title, words }) => ({ id: slugOf(title), heading: title, text: plain(words) })),
    ],
  };
}
