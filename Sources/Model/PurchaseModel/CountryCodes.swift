internal import Amounts

/// Converts country codes to the App Store's three-letter codes.
///
/// Some apps report two-letter codes.
enum CountryCodes {
  /// Converts a two-letter code to the three-letter code; `nil` for an unknown code.
  ///
  /// Both codes are packed into integers, one byte per letter.
  static func alpha3(ofPackedAlpha2 alpha2: UInt32) -> UInt32? {
    alpha3ByAlpha2[alpha2]
  }

  /// The App Store's code for a three-letter code; `nil` for an unknown code.
  ///
  /// Both codes are packed into integers. They are equal except for Kosovo: `XKX` → `XKS`.
  static func alpha3(_ code: UInt32) -> UInt32? {
    if known.contains(code) { return code }
    return code == packed("XKX") ? packed("XKS") : nil
  }

  private static let known = Set(alpha3ByAlpha2.values)

  private static func packed(_ code: String) -> UInt32? {
    let letters = Array(code.utf8)
    return PackedLetters.read(letters.span, count: 3)
  }

  private static let alpha3ByAlpha2: [UInt32: UInt32] = {
    var codes: [UInt32: UInt32] = [:]
    for pair in pairs.split(whereSeparator: { $0 == "\n" || $0 == " " }).pairs() {
      let alpha2 = Array(pair.0.utf8)
      let alpha3 = Array(pair.1.utf8)
      guard let from = PackedLetters.read(alpha2.span, count: 2),
        let to = PackedLetters.read(alpha3.span, count: 3)
      else { continue }
      codes[from] = to
    }
    return codes
  }()
}

extension Array {
  /// The elements in pairs: the first with the second, the third with the fourth, and so on.
  fileprivate func pairs() -> [(Element, Element)] {
    stride(from: 0, to: count - 1, by: 2).map { (self[$0], self[$0 + 1]) }
  }
}

/// The country codes of ISO 3166-1: each two-letter code, followed by its three-letter code.
///
/// Kosovo's App Store code `XKS` is added, because ISO does not list Kosovo.
private let pairs = """
  AD AND  AE ARE  AF AFG  AG ATG  AI AIA  AL ALB  AM ARM  AO AGO  AQ ATA  AR ARG
  AS ASM  AT AUT  AU AUS  AW ABW  AX ALA  AZ AZE  BA BIH  BB BRB  BD BGD  BE BEL
  BF BFA  BG BGR  BH BHR  BI BDI  BJ BEN  BL BLM  BM BMU  BN BRN  BO BOL  BQ BES
  BR BRA  BS BHS  BT BTN  BV BVT  BW BWA  BY BLR  BZ BLZ  CA CAN  CC CCK  CD COD
  CF CAF  CG COG  CH CHE  CI CIV  CK COK  CL CHL  CM CMR  CN CHN  CO COL  CR CRI
  CU CUB  CV CPV  CW CUW  CX CXR  CY CYP  CZ CZE  DE DEU  DJ DJI  DK DNK  DM DMA
  DO DOM  DZ DZA  EC ECU  EE EST  EG EGY  EH ESH  ER ERI  ES ESP  ET ETH  FI FIN
  FJ FJI  FK FLK  FM FSM  FO FRO  FR FRA  GA GAB  GB GBR  GD GRD  GE GEO  GF GUF
  GG GGY  GH GHA  GI GIB  GL GRL  GM GMB  GN GIN  GP GLP  GQ GNQ  GR GRC  GS SGS
  GT GTM  GU GUM  GW GNB  GY GUY  HK HKG  HM HMD  HN HND  HR HRV  HT HTI  HU HUN
  ID IDN  IE IRL  IL ISR  IM IMN  IN IND  IO IOT  IQ IRQ  IR IRN  IS ISL  IT ITA
  JE JEY  JM JAM  JO JOR  JP JPN  KE KEN  KG KGZ  KH KHM  KI KIR  KM COM  KN KNA
  KP PRK  KR KOR  KW KWT  KY CYM  KZ KAZ  LA LAO  LB LBN  LC LCA  LI LIE  LK LKA
  LR LBR  LS LSO  LT LTU  LU LUX  LV LVA  LY LBY  MA MAR  MC MCO  MD MDA  ME MNE
  MF MAF  MG MDG  MH MHL  MK MKD  ML MLI  MM MMR  MN MNG  MO MAC  MP MNP  MQ MTQ
  MR MRT  MS MSR  MT MLT  MU MUS  MV MDV  MW MWI  MX MEX  MY MYS  MZ MOZ  NA NAM
  NC NCL  NE NER  NF NFK  NG NGA  NI NIC  NL NLD  NO NOR  NP NPL  NR NRU  NU NIU
  NZ NZL  OM OMN  PA PAN  PE PER  PF PYF  PG PNG  PH PHL  PK PAK  PL POL  PM SPM
  PN PCN  PR PRI  PS PSE  PT PRT  PW PLW  PY PRY  QA QAT  RE REU  RO ROU  RS SRB
  RU RUS  RW RWA  SA SAU  SB SLB  SC SYC  SD SDN  SE SWE  SG SGP  SH SHN  SI SVN
  SJ SJM  SK SVK  SL SLE  SM SMR  SN SEN  SO SOM  SR SUR  SS SSD  ST STP  SV SLV
  SX SXM  SY SYR  SZ SWZ  TC TCA  TD TCD  TF ATF  TG TGO  TH THA  TJ TJK  TK TKL
  TL TLS  TM TKM  TN TUN  TO TON  TR TUR  TT TTO  TV TUV  TW TWN  TZ TZA  UA UKR
  UG UGA  UM UMI  US USA  UY URY  UZ UZB  VA VAT  VC VCT  VE VEN  VG VGB  VI VIR
  VN VNM  VU VUT  WF WLF  WS WSM  XK XKS  YE YEM  YT MYT  ZA ZAF  ZM ZMB  ZW ZWE
  """
