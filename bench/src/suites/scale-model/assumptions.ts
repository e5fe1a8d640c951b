/**
 * What the model takes for granted, because no benchmark can measure it: the load that is planned for, habits of merchants, and the sizes of
 * machines, each with its text on the page. Change a value here, and run `npm run bench -- --only scale-model --write docs/scale.md`.
 */
export const statedAssumptions = {
  parcelsADay: [2_000_000, 'parcels a day'],
  submissions: [140, 'submissions a second in the peak hour'],
  warehouseEvents: [700, 'warehouse events a second in the peak hour'],
  pushes: [1_100, 'pushes of tracking sources a second in the peak hour'],
  webhooks: [1_250, 'webhooks a second in the peak hour: one for each warehouse event, the others for pushes with a new status'],
  polls: [625, 'polls a second, all day: docs/capacity.md, tracking sources'],
  burstFactor: [2, 'times the rate of the peak hour in a burst'],
  burstSeconds: [60, 'seconds that a burst lasts'],
  burstEverySeconds: [600, 'seconds from one burst to the next in the simulation'],
  eventsOnKafkaShare: [0.5, 'of the warehouse events come over Kafka, the others over HTTP, 100 in a call'],
  eventsAParcel: [5, 'warehouse events of a parcel'],
  pushesAParcel: [13.2, 'pushes of a parcel: docs/capacity.md'],
  filesAParcel: [2, 'PDFs of a parcel, each uploaded and opened once'],
  weighingQueriesAParcel: [1, 'weighing queries of a parcel'],
  trackingQueriesAParcel: [2, 'tracking queries of a parcel'],
  fileMegabytes: [0.2, 'MB of a PDF'],
  documentsMegabytes: [0.4, 'MB of product label, packing slip and photo of a parcel together'],
  furtherObjectsAParcel: [2, 'objects of a parcel besides its PDFs: its documents together, and a photo'],
  hotDays: [27, 'days from the submission until a parcel is read no more: 12 on its way, 15 in which it is still asked for'],
  keptDays: [180, 'days in FORECASTS_KEPT and FILES_KEPT, the longest that anything is kept'],
  hotIndexShare: [0.25, 'of an index is in use: new keys, those of parcels on their way, and the pages above them'],
  pagesAWrite: [2, 'pages that a write of MongoDB brings to the disk: of the document and of an index'],
  coldReadShare: [0.05, 'of the reads of MongoDB reach the disk'],
  largestTenantShare: [0.1, 'of the load is from the largest tenant'],
  largestWarehouseShare: [0.2, 'of the warehouse events are from the largest warehouse'],
  largestCarrierShare: [0.3, 'of the parcels are with the largest carrier'],
  messageBytes: [1_200, 'bytes of a message on Kafka'],
  callBytes: [2_000, 'bytes of a request, a response or a webhook, headers included'],
  followerShare: [0.5, 'of the work of a leader has each follower of a partition'],
  replication: [3, 'copies of a message on Kafka'],
  memberCores: [16, 'cores of a member of a shard'],
  memberGibibytes: [128, 'GiB of memory of a member'],
  cacheShare: [0.5, 'of the memory of a member is the cache of MongoDB'],
  memberDiskGibibytes: [2_048, 'GiB of data on a member, on a disk of twice the size'],
  memberIops: [12_000, 'disk operations a second of a member'],
  membersAShard: [3, 'members of a shard'],
  brokerCores: [4, 'cores of a broker'],
  brokerDiskGibibytes: [4_096, 'GiB of messages on a broker, on a disk of twice the size'],
  leastBrokers: [3, 'brokers at least'],
  parcelsAnAccount: [286_000, 'parcels a day that one account of an aggregator follows: docs/capacity.md, 17TRACK'],
  backupMegabytesPerSecond: [200, 'MB a second that a backup reads'],
  backupHours: [24, 'hours in which a backup has to end'],
} as const;

type Name = keyof typeof statedAssumptions;

/** Values by name; a test or another plan may have others. */
export type Assumptions = Readonly<Record<Name, number>>;

/** The values of {@link statedAssumptions}. */
export const assumptions: Assumptions = Object.fromEntries(
  Object.entries(statedAssumptions).map(([name, [value]]) => [name, value]),
) as Record<Name, number>;
