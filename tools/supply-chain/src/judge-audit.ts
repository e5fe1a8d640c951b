// What the response of `npm audit --json` means.

/** How bad a finding is, from the least. */
export const LEVELS = ['low', 'moderate', 'high', 'critical'];

function parsed(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // npm that was stopped, or that found no registry to ask, prints no JSON.
    return undefined;
  }
}

/** A package with advisories, as npm reports it. */
interface Finding {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  /** Its own advisories, or names of packages that it has them from. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** What npm prints: findings by package, or why it has none. */
interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, Finding>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/** Titles of the advisories of a finding; those of other packages that it comes from are names. */
const reasons = (finding: Finding) =>
  finding.via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`)).join('; ');

/**
 * @param output what npm printed
 * @param level one of LEVELS: from there on a finding fails
 * @param isRequired true when a registry that does not respond is a failure
 */
export function judgeAudit(output: string, level: string, isRequired = false): { ok: boolean; lines: string[] } {
  const report = parsed(output);
  if (!report?.vulnerabilities) {
    const why = report?.message ?? report?.error?.summary ?? '';
    return {
      ok: !isRequired,
      lines: [`${isRequired ? 'failed' : 'skipped'}: the registry does not respond audits${why ? ` (${String(why).split('\n')[0]})` : ''}`],
    };
  }
  const findings = Object.values(report.vulnerabilities).sort((a, b) => LEVELS.indexOf(b.severity) - LEVELS.indexOf(a.severity));
  const failing = findings.filter(({ severity }) => LEVELS.indexOf(severity) >= LEVELS.indexOf(level));
  const lines = findings.map((each) => `${each.severity}  ${each.name} ${each.range}: ${reasons(each)}`);
  const verdict = `${findings.length} packages with advisories, ${failing.length} of level ${level} or above`;
  return { ok: failing.length === 0, lines: [...lines, verdict] };
}
