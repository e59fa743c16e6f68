internal import CivilTime

/// A report of Sales and Trends that is useful here.
package enum AppleReportKind: String, Hashable, Sendable, CaseIterable {
  /// Units and prices by product, country and day.
  case sales
  /// Every event of every anonymous subscriber.
  case subscriber
  /// Events of subscriptions, counted.
  case subscriptionEvent = "subscription_event"
  /// The numbers of subscriptions, by price.
  case subscription

  /// Apple's words: type and sub-type.
  var words: (type: String, subType: String) {
    switch self {
    case .sales: ("SALES", "SUMMARY")
    case .subscriber: ("SUBSCRIBER", "DETAILED")
    case .subscriptionEvent: ("SUBSCRIPTION_EVENT", "SUMMARY")
    case .subscription: ("SUBSCRIPTION", "SUMMARY")
    }
  }

  /// The version that is asked for first; Apple may name another one.
  var usualVersion: String { self == .sales ? "1_0" : "1_3" }
}

/// Apple's verdict on a question for a report.
enum ReportVerdict: Hashable, Sendable {
  /// The report, gzip as a rule.
  case report([UInt8])
  /// Nothing was sold that day.
  case nothingSold
  /// Not made yet, or not kept any more.
  case notThere
  /// Apple wants another version of it.
  case otherVersion(String)
  /// To be asked again; the reason as a stable word, and how long Apple wants to be left alone.
  case again(reason: String, after: Milliseconds?)
  /// The question itself is wrong; the reason as a stable word.
  case rejected(reason: String)
  /// The key or the vendor number is wrong.
  case refused(reason: String)
}

extension AppleReportKind {
  /// The path and query that ask for a day's report.
  ///
  /// - Parameters:
  ///   - day: The day, in the time zone of the reports.
  ///   - vendor: The vendor number of Sales and Trends.
  ///   - version: The version of the report, such as `1_4`.
  /// - Returns: `/v1/salesReports?filter%5Bfrequency%5D=DAILY&…`.
  func target(day: CivilDay, vendor: String, version: String) -> String {
    let filters = [
      ("frequency", "DAILY"), ("reportDate", day.text), ("reportSubType", words.subType),
      ("reportType", words.type), ("vendorNumber", vendor), ("version", version),
    ]
    return "/v1/salesReports?"
      + filters.map { "filter%5B\($0)%5D=\($1)" }.joined(separator: "&")
  }
}

extension ReportVerdict {
  /// Interprets a reply of App Store Connect.
  ///
  /// Its errors are told apart by their sentences, because their codes are the same.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - now: The wall clock's moment, for `Retry-After`.
  init(_ reply: AppleReply, now: Instant) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let body): self = .report(body)
    case .answer(let status, let retryAfter, let body):
      let text = String(decoding: body.prefix(1 << 16), as: UTF8.self)
      let reason = "http_\(status)"
      switch status {
      case 404: self = text.contains("no sales") ? .nothingSold : .notThere
      case 410: self = .notThere
      case 401, 403: self = .refused(reason: reason)
      case 400, 409, 422:
        self = Self.version(in: text).map(Self.otherVersion) ?? .rejected(reason: reason)
      default: self = .again(reason: reason, after: RetryAfter.wait(retryAfter, now: now))
      }
    }
  }

  /// The version of `The latest version for this report is 1_4.`; `nil` for any other text.
  private static func version(in text: String) -> String? {
    guard let start = text.firstRange(of: "latest version for this report is ") else { return nil }
    let version = text[start.upperBound...].prefix { $0.isASCII && ($0.isNumber || $0 == "_") }
    return (3...7).contains(version.count) ? String(version) : nil
  }
}
