// The part of a changelog (keepachangelog.com) that belongs to a release.

/**
 * What the changelog says of a version.
 * @param {string} tag such as `v1.2.3`
 * @param {string} version that of package.json
 * @param {string} changelog Markdown
 * @throws Error in words when the release cannot be made so
 */
export function releaseNotes(tag, version, changelog) {
  if (tag !== `v${version}`)
    throw new Error(`The tag is "${tag}", but package.json has version ${version}: tag v${version}, or change the version first`);
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## [${version}]`));
  if (!section) throw new Error(`CHANGELOG.md has no section "## [${version}] - yyyy-mm-dd"`);
  const [heading = '', ...rest] = section.split('\n');
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`CHANGELOG.md gives ${version} no date: write "## [${version}] - yyyy-mm-dd"`);
  const body = rest
    .join('\n')
    .replace(/^\[[^\]]+\]: .*$/gm, '')
    .trim();
  if (body === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${body}\n`;
}
