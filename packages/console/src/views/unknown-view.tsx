import { useWords } from '../messages/language.ts';
import { Empty } from '../parts/empty.tsx';
import { PageHeading } from '../parts/page-heading.tsx';
import { HOME, hrefOf } from '../routing/route.ts';

/** Responds with an address that leads nowhere. */
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
