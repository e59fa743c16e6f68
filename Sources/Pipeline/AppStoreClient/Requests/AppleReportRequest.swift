internal import CivilTime

/// A report of App Store Connect that can be fetched.
///
/// Reports of some kinds are only archived; Paidline does not use their content.
package enum AppleReportKind: String, Hashable, Sendable, CaseIterable {
  /// Units and prices by product, country and day.
  case sales
  /// Every event of every anonymous subscriber.
  case subscriber
  /// The number of subscription events of each kind.
  case subscriptionEvent = "subscription_event"
  /// The number of subscriptions at each price.
  case subscription
  /// The settlements of a fiscal month, one per line.
  case financeDetail = "finance_detail"
  /// The settlements of a fiscal month, in sums.
  case financial

  /// Whether the report is per fiscal month and region.
  var isMonthly: Bool { self == .financeDetail || self == .financial }

  /// Apple's words for the report: its type and sub-type.
  var words: (type: String, subType: String) {
    switch self {
    case .sales: ("SALES", "SUMMARY")
    case .subscriber: ("SUBSCRIBER", "DETAILED")
    case .subscriptionEvent: ("SUBSCRIPTION_EVENT", "SUMMARY")
    case .subscription: ("SUBSCRIPTION", "SUMMARY")
    case .financeDetail: ("FINANCE_DETAIL", "")
    case .financial: ("FINANCIAL", "")
    }
  }

  /// The version of the report that is requested first; Apple may then require another version.
  var usualVersion: String {
    switch self {
    case .subscriber, .subscriptionEvent, .subscription: "1_3"
    default: "1_0"
    }
  }
}

/// App Store Connect's answer to a question about a report.
enum ReportAnswer: Hashable, Sendable {
  /// The report, usually compressed with gzip.
  case report([UInt8])
  /// Nothing was sold on the day.
  ///
  /// For a monthly report, the month may also not be settled yet.
  case nothingSold
  /// Apple does not have the report yet, or no longer has it.
  case notThere
  /// Apple requires another version of the report; the value is that version, such as `1_4`.
  case otherVersion(String)
}

extension AppleReportKind {
  /// The path and query for the report of a day.
  ///
  /// - Parameters:
  ///   - version: The version of the report, such as `1_4`.
  /// - Returns: A text such as `/v1/salesReports?filter%5Bfrequency%5D=DAILY&…`.
  func target(day: CivilDay, vendor: String, version: String) -> String {
    let filters = [
      ("frequency", "DAILY"), ("reportDate", day.text), ("reportSubType", words.subType),
      ("reportType", words.type), ("vendorNumber", vendor), ("version", version),
    ]
    return "/v1/salesReports?" + Self.query(filters)
  }

  /// The path and query for the report of a fiscal month and region.
  ///
  /// Apple numbers the months of its fiscal year, which begins in October. Example: May 2024 is
  /// `2024-08`.
  ///
  /// - Parameters:
  ///   - region: Apple's code of the region, such as `US`; `Z1` means all regions in Finance
  ///     Detail.
  /// - Returns: A text such as `/v1/financeReports?filter%5BregionCode%5D=Z1&…`.
  func target(month: CivilDay, vendor: String, region: String) -> String {
    let (year, number) = (month.date.year, month.date.month)
    let (fiscalYear, fiscalMonth) = number >= 10 ? (year + 1, number - 9) : (year, number + 3)
    let filters = [
      ("regionCode", region),
      ("reportDate", "\(fiscalYear)-\(fiscalMonth < 10 ? "0" : "")\(fiscalMonth)"),
      ("reportType", words.type), ("vendorNumber", vendor),
    ]
    return "/v1/financeReports?" + Self.query(filters)
  }

  private static func query(_ filters: [(String, String)]) -> String {
    filters.map { "filter%5B\($0)%5D=\($1)" }.joined(separator: "&")
  }
}

extension ReportAnswer {
  /// Interprets a reply of App Store Connect.
  ///
  /// Errors with the same HTTP status are distinguished by the text of the reply.
  static func meaning(of reply: AppleReply) -> ReplyMeaning<ReportAnswer> {
    ReplyMeaning(reply) {
      .settled(.answer(.report($0)))
    } other: { status, body in
      let text = String(decoding: body.prefix(1 << 16), as: UTF8.self)
      let reason = "http_\(status)"
      switch status {
      case 404: return .settled(.answer(text.contains("no sales") ? .nothingSold : .notThere))
      case 410: return .settled(.answer(.notThere))
      case 401, 403: return .settled(.refused(reason: reason))
      case 400, 409, 422:
        return .settled(
          version(in: text).map { .answer(.otherVersion($0)) } ?? .rejected(reason: reason))
      default: return .again(reason: reason, after: nil)
      }
    }
  }

  /// The version in `The latest version for this report is 1_4.`; `nil` for any other text.
  private static func version(in text: String) -> String? {
    guard let start = text.firstRange(of: "latest version for this report is ") else { return nil }
    let version = text[start.upperBound...].prefix { $0.isASCII && ($0.isNumber || $0 == "_") }
    return (3...7).contains(version.count) ? String(version) : nil
  }
}
