/// A report of App Analytics about subscriptions that can be fetched.
package enum AnalyticsReport: String, Hashable, Sendable, CaseIterable {
  /// Trial starts, conversions, renewals and ends.
  case events = "analytics_event"
  /// The number of subscriptions in each state.
  case states = "analytics_state"

  /// The beginning of Apple's name of the report, in lower case.
  private var title: String {
    switch self {
    case .events: "app store subscription event"
    case .states: "app store subscription state"
    }
  }

  /// Returns true for Apple's name of the report without data that could identify a person.
  ///
  /// Example: `App Store Subscription Event Report Standard`. The detailed report has noise in its
  /// counts.
  func isNamed(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix(title) && !name.contains("detailed")
  }

  /// The name of an app's report in the path of a file.
  func fileName(app: String) -> String { "\(rawValue)_\(app)" }
}

/// The paths and queries with which reports of App Analytics are requested.
enum AnalyticsRequest {
  private static let page = "limit=200"

  /// The path to which a new request for reports is sent.
  static let create = "/v1/analyticsReportRequests"

  /// The requests for reports of an app that Apple makes every day.
  static func ongoing(ofApp id: String) -> String {
    "/v1/apps/\(id)/analyticsReportRequests?filter%5BaccessType%5D=ONGOING&\(page)"
  }

  /// The reports that Apple makes for a request.
  static func reports(ofRequest id: String) -> String {
    "/v1/analyticsReportRequests/\(id)/reports?filter%5Bcategory%5D=COMMERCE&\(page)"
  }

  /// The instances of a report, one for each day on which Apple made it.
  static func instances(ofReport id: String) -> String {
    "/v1/analyticsReports/\(id)/instances?filter%5Bgranularity%5D=DAILY&\(page)"
  }

  /// The parts of an instance, with their addresses.
  static func segments(ofInstance id: String) -> String {
    "/v1/analyticsReportInstances/\(id)/segments?\(page)"
  }
}
