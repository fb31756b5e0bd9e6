import { lazy } from "../../core/lazy.ts";

/** Minutes east of Greenwich of each abbreviation, and the zones of the IANA database that use them since 2015. */
const abbreviations: readonly (readonly [names: string, zones: string])[] = [
  [
    "EEST 180, EET 120",
    `Africa/Cairo Africa/Tripoli Asia/Amman Asia/Beirut Asia/Damascus Asia/Famagusta Asia/Gaza
     Asia/Hebron Asia/Istanbul Asia/Nicosia EET Egypt Europe/Athens Europe/Bucharest Europe/Chisinau
     Europe/Helsinki Europe/Istanbul Europe/Kaliningrad Europe/Kiev Europe/Kyiv Europe/Mariehamn
     Europe/Nicosia Europe/Riga Europe/Sofia Europe/Tallinn Europe/Tiraspol Europe/Uzhgorod
     Europe/Vilnius Europe/Zaporozhye Libya Turkey`,
  ],
  [
    "CEST 120, CET 60",
    `Africa/Algiers Africa/Ceuta Africa/Tunis Arctic/Longyearbyen Atlantic/Jan_Mayen CET
     Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels
     Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana
     Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris
     Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje
     Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw
     Europe/Zagreb Europe/Zurich Poland`,
  ],
  ["SAST 120", "Africa/Johannesburg Africa/Maseru Africa/Mbabane"],
  [
    "CAT 120, EAT 180",
    `Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Blantyre Africa/Bujumbura
     Africa/Dar_es_Salaam Africa/Djibouti Africa/Gaborone Africa/Harare Africa/Juba Africa/Kampala
     Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Mogadishu
     Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte`,
  ],
  [
    "GMT 0, WAT 60",
    `Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville
     Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo Africa/Sao_Tome`,
  ],
  ["CAT 120, WAT 60", "Africa/Windhoek"],
  [
    "HDT -540, HST -600",
    "America/Adak America/Atka HST Pacific/Honolulu Pacific/Johnston US/Aleutian US/Hawaii",
  ],
  [
    "AKDT -480, AKST -540",
    `America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat
     US/Alaska`,
  ],
  [
    "MDT -360, MST -420",
    `America/Boise America/Cambridge_Bay America/Creston America/Dawson_Creek America/Denver
     America/Edmonton America/Hermosillo America/Inuvik America/Mazatlan America/Phoenix
     America/Shiprock America/Yellowknife Canada/Mountain MST MST7MDT Mexico/BajaSur Navajo
     US/Arizona US/Mountain`,
  ],
  [
    "CST -360, EST -300",
    `America/Belize America/Cancun America/Costa_Rica America/El_Salvador America/Guatemala
     America/Managua America/Regina America/Swift_Current America/Tegucigalpa Canada/Saskatchewan`,
  ],
  ["MST -420, PST -480", "America/Dawson America/Fort_Nelson America/Whitehorse Canada/Yukon"],
  [
    "EDT -240, EST -300",
    `America/Atikokan America/Cayman America/Coral_Harbour America/Detroit America/Fort_Wayne
     America/Grand_Turk America/Indiana/Indianapolis America/Indiana/Marengo
     America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes
     America/Indiana/Winamac America/Indianapolis America/Iqaluit America/Jamaica
     America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville America/Montreal
     America/Nassau America/New_York America/Nipigon America/Panama America/Pangnirtung
     America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern EST EST5EDT Jamaica
     US/East-Indiana US/Eastern US/Michigan`,
  ],
  [
    "PDT -420, PST -480",
    `America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana America/Vancouver
     Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific`,
  ],
  [
    "ADT -180, AST -240",
    `America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon
     America/Curacao America/Dominica America/Glace_Bay America/Goose_Bay America/Grenada
     America/Guadeloupe America/Halifax America/Kralendijk America/Lower_Princes America/Marigot
     America/Martinique America/Moncton America/Montserrat America/Port_of_Spain America/Puerto_Rico
     America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas
     America/St_Vincent America/Thule America/Tortola America/Virgin Atlantic/Bermuda Canada/Atlantic`,
  ],
  ["CDT -240, CST -300", "America/Havana Cuba"],
  [
    "CDT -300, CST -360, MST -420",
    `America/Bahia_Banderas America/Chicago America/Chihuahua America/Ciudad_Juarez
     America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Matamoros
     America/Menominee America/Merida America/Mexico_City America/Monterrey
     America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem
     America/Ojinaga America/Rainy_River America/Rankin_Inlet America/Resolute America/Winnipeg
     CST6CDT Canada/Central Mexico/General US/Central US/Indiana-Starke`,
  ],
  ["NDT -150, NST -210", "America/St_Johns Canada/Newfoundland"],
  [
    "AEDT 660, AEST 600",
    `Antarctica/Macquarie Australia/ACT Australia/Brisbane Australia/Canberra Australia/Currie
     Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/NSW Australia/Queensland
     Australia/Sydney Australia/Tasmania Australia/Victoria`,
  ],
  ["NZDT 780, NZST 720", "Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland"],
  ["IST 330", "Asia/Calcutta Asia/Kolkata"],
  [
    "CST 480",
    `Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC
     ROC`,
  ],
  ["HKT 480", "Asia/Hong_Kong Hongkong"],
  ["WIB 420", "Asia/Jakarta Asia/Pontianak"],
  ["WIT 540", "Asia/Jayapura"],
  ["IDT 180, IST 120", "Asia/Jerusalem Asia/Tel_Aviv Israel"],
  ["PKT 300", "Asia/Karachi"],
  ["WITA 480", "Asia/Makassar Asia/Ujung_Pandang"],
  ["PST 480", "Asia/Manila"],
  ["KST 510, KST 540", "Asia/Pyongyang Asia/Seoul ROK"],
  ["JST 540", "Asia/Tokyo Japan"],
  [
    "WEST 60, WET 0",
    "Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Europe/Lisbon Portugal WET",
  ],
  [
    "ACDT 630, ACST 570",
    `Australia/Adelaide Australia/Broken_Hill Australia/Darwin Australia/North Australia/South
     Australia/Yancowinna`,
  ],
  ["AWST 480", "Australia/Perth Australia/West"],
  ["GMT 0, IST 60", "Eire Europe/Dublin"],
  ["UTC 0", "Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu"],
  [
    "BST 60, GMT 0",
    `Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry
     Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou
     Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0
     Etc/GMT-0 Etc/GMT0 Etc/Greenwich Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey
     Europe/London GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich Iceland`,
  ],
  ["MSK 180", "Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd W-SU"],
  ["MEST 120, MET 60", "MET"],
  ["ChST 600", "Pacific/Guam Pacific/Saipan"],
  ["SST -660", "Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa"],
];

/** By zone and offset in minutes, such as `Europe/Paris 60`. */
const byZoneAndOffset = lazy(
  (): ReadonlyMap<string, string> =>
    new Map(
      abbreviations.flatMap(([names, zones]) =>
        names.split(", ").flatMap((entry) => {
          const [abbreviation = "", minutes = ""] = entry.split(" ");
          return zones.split(/\s+/u).map((zone): [string, string] => [`${zone} ${minutes}`, abbreviation]);
        }),
      ),
    ),
);

/**
 * What the IANA database calls a zone's time at an offset: `CET`, or `+03` where it has no name. Names that a zone
 * gave up before 2015 are not known, nor are those that share an offset with today's.
 */
export function zoneAbbreviation(zone: string, offsetSeconds: number): string {
  const name = byZoneAndOffset().get(`${zone} ${offsetSeconds / 60}`);
  if (name !== undefined) return name;
  const minutes = Math.trunc(Math.abs(offsetSeconds) / 60);
  const hour = String(Math.trunc(minutes / 60)).padStart(2, "0");
  const rest = minutes % 60 === 0 ? "" : String(minutes % 60).padStart(2, "0");
  return `${offsetSeconds < 0 ? "-" : "+"}${hour}${rest}`;
}
