internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The currency of each App Store storefront over time, for storefronts without reports.
///
/// The currencies are those that App Store Connect lists under "App Store pricing and availability"
/// and "Financial report regions and currencies". The dates are those of Apple's announcements:
/// nine storefronts got a local currency in December 2016, and nine in May 2017; Croatia adopted
/// the euro in 2023, and Bulgaria in 2026. The dates of 2016 and 2017 may be off by days, because
/// Apple only announced a change "within 7–10 days". Earlier changes are not listed. Reports of the
/// storefront's own customers always have priority over this table.
enum AppStoreCurrencies {
  /// The currency of a storefront at a moment; `nil` if the table does not contain the storefront.
  static func currency(of storefront: Storefront, at time: Int64) -> Currency? {
    guard var currency = current[storefront] else { return nil }
    // Newest change first: each entry has the currency before the change.
    for change in changes[storefront] ?? [] where time < change.before {
      currency = change.currency
    }
    return currency
  }

  /// Returns true if a storefront did not have a currency within 60 days of a moment.
  ///
  /// False if the table does not contain the storefront.
  static func excludes(_ currency: Currency, in storefront: Storefront, around time: Int64) -> Bool
  {
    let reach = Milliseconds.days(60).rawValue
    return [time, time - reach, time + reach].allSatisfy { time in
      self.currency(of: storefront, at: time).map { $0 != currency } ?? false
    }
  }

  /// The moment at which the euro replaced a storefront's own currency, in Unix milliseconds, UTC.
  ///
  /// `nil` if the table has no such replacement. Example: Croatia → January 1, 2023.
  static func replacement(in storefront: Storefront) -> Int64? { replacements[storefront] }

  private static let replacements: [Storefront: Int64] = {
    let days = [("HRV", "2023-01-01"), ("BGR", "2026-01-01")]
    return Dictionary(
      uniqueKeysWithValues: days.compactMap { name, day in
        guard let storefront = Storefront(name), let day = CivilDay(text: day) else { return nil }
        return (storefront, day.start.milliseconds)
      })
  }()

  private static let current: [Storefront: Currency] = {
    var table: [Storefront: Currency] = [:]
    for line in currencies.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let name = words.first, let currency = Currency(String(name)) else { continue }
      for word in words.dropFirst() {
        if let storefront = Storefront(String(word)) { table[storefront] = currency }
      }
    }
    return table
  }()

  private static let changes: [Storefront: [(before: Int64, currency: Currency)]] = {
    var table: [Storefront: [(before: Int64, currency: Currency)]] = [:]
    for line in earlierCurrencies.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, let day = CivilDay(text: words[0]), let currency = Currency(words[1])
      else { continue }
      for word in words.dropFirst(2) {
        guard let storefront = Storefront(word) else { continue }
        table[storefront, default: []].append((day.start.milliseconds, currency))
      }
    }
    return table
  }()
}

/// The currency of each storefront now: each line has a currency and its storefronts.
private let currencies = """
  AED ARE
  AUD AUS
  BRL BRA
  CAD CAN
  CHF CHE
  CLP CHL
  CNY CHN
  COP COL
  CZK CZE
  DKK DNK
  EGP EGY
  EUR AUT BEL BGR BIH CYP DEU ESP EST FIN FRA GRC HRV IRL ITA LTU LUX LVA MLT MNE NLD PRT SRB SVK
  EUR SVN XKS
  GBP GBR
  HKD HKG
  HUF HUN
  IDR IDN
  ILS ISR
  INR IND
  JPY JPN
  KRW KOR
  KZT KAZ
  MXN MEX
  MYR MYS
  NGN NGA
  NOK NOR
  NZD NZL
  PEN PER
  PHP PHL
  PKR PAK
  PLN POL
  QAR QAT
  RON ROU
  RUB RUS
  SAR SAU
  SEK SWE
  SGD SGP
  THB THA
  TRY TUR
  TWD TWN
  TZS TZA
  USD AFG AGO AIA ALB ARG ARM ATG AZE BEN BFA BHR BHS BLR BLZ BMU BOL BRB BRN BTN BWA CIV CMR COD
  USD COG CPV CRI CYM DMA DOM DZA ECU FJI FSM GAB GEO GHA GMB GNB GRD GTM GUY HND IRQ ISL JAM JOR
  USD KEN KGZ KHM KNA KWT LAO LBN LBR LBY LCA LKA MAC MAR MDA MDG MDV MKD MLI MMR MNG MOZ MRT MSR
  USD MUS MWI NAM NER NIC NPL NRU OMN PAN PLW PNG PRY RWA SEN SLB SLE SLV STP SUR SWZ SYC TCA TCD
  USD TJK TKM TON TTO TUN UGA UKR URY USA UZB VCT VEN VGB VUT YEM ZMB ZWE
  VND VNM
  ZAR ZAF
  """

/// The earlier currencies of storefronts, newest change first.
///
/// Each line has the first day after a change, the currency before the change, and the storefronts.
private let earlierCurrencies = """
  2026-01-01 BGN BGR
  2023-01-01 HRK HRV
  2017-05-24 EUR BGR CZE HUN POL ROU
  2017-05-24 USD CHL COL HRV PER
  2016-12-14 USD EGY KAZ MYS NGA PAK PHL QAT TZA VNM
  """
