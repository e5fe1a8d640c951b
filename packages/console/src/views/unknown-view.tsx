import { useWords } from '../messages/language.ts';
import { Empty, PageHeading } from '../parts/lists.tsx';
import { HOME, hrefOf } from '../routing/route.ts';

/** Shown for an address that no page has. */
export function UnknownView() {
  const { t } = useWords();
  return (
    <>
      <PageHeading title={t.common.unknownPage} />
      <Empty title={t.common.unknownPageHint}>
        <a class="button" href={hrefOf(HOME)}>
          {t.common.toParcels}
        </a>
      </Empty>
    </>
  );
}
