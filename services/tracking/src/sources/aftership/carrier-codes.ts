import { carrierCodes } from '../fields.ts';

/** AfterShip's slugs by the code of a carrier (README). */
export const slugOf = carrierCodes(
  '4px:4px anpost:an-post aramex:aramex australiapost:australia-post bpost:bpost cainiao:cainiao aliexpress:cainiao ' +
    'canadapost:canada-post chinaems:china-ems ems:china-ems chinapost:china-post cne:cnexps cnexps:cnexps colisprive:colis-prive ' +
    'deutschepost:deutsch-post dhl:dhl dhlexpress:dhl dhlecommerce:dhl-global-mail dhlecommerceasia:dhl-global-mail-asia ' +
    'dhlde:dhl-germany dhlgermany:dhl-germany dpd:dpd dpdde:dpd-de dpduk:dpd-uk fedex:fedex flytexpress:flytexpress gls:gls ' +
    'hermesde:hermes-de hongkongpost:hong-kong-post japanpost:japan-post koreapost:korea-post lasership:lasership ontrac:ontrac ' +
    'parcelforce:parcel-force purolator:purolator royalmail:royal-mail sagawa:sagawa sf:sf-express sfexpress:sf-express ' +
    'sfinternational:sfb2c singaporepost:singapore-post singpost:singapore-post sto:sto swisspost:swiss-post tnt:tnt ups:ups ' +
    'upsmi:ups-mi usps:usps yamato:taqbin-jp yanwen:yanwen yunexpress:yunexpress yunda:yundaex',
);
