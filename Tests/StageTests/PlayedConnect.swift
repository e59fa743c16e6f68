internal import Foundation

/// The content of a local App Store Connect: what an owner has entered, as its API returns it.
struct PlayedConnect {
  private(set) var lists: [String: Any] = [:]
  private var included: [String: Any] = [:]
  private var apps: [[String: Any]] = []
  private var files: [String: String] = [:]
  private var groups: [String: [[String: Any]]] = [:]
  private var subscriptions: [String: [[String: Any]]] = [:]
  private var purchases: [String: [[String: Any]]] = [:]
  /// The first responses for a path: `429`, `500`, `cut`, `html`.
  var faults: [String: [String]] = [:]
  /// The largest number of resources on a page.
  var pageSize = 200

  /// A price in a storefront; without an amount the row has no price point.
  struct Row {
    var storefront: String
    var amount: String?
    var attributes: [String: Any] = [:]

    init(_ storefront: String, _ amount: String?, _ attributes: [String: Any] = [:]) {
      self.storefront = storefront
      self.amount = amount
      self.attributes = attributes
    }
  }

  /// Creates storefronts with their currencies.
  init(storefronts: [(String, String)]) {
    let resources = storefronts.map { code, currency -> [String: Any] in
      ["type": "territories", "id": code, "attributes": ["currency": currency]]
    }
    lists["/v1/territories"] = resources
    for resource in resources { included["territories/\(resource["id"] ?? "")"] = resource }
  }

  /// Adds an app.
  mutating func addApp(_ id: String, _ bundleID: String) {
    apps.append(["type": "apps", "id": id, "attributes": ["bundleId": bundleID, "name": "App"]])
    lists["/v1/apps"] = apps
  }

  /// Adds a subscription group.
  mutating func addGroup(_ id: String, _ name: String, app: String) {
    groups[app, default: []].append(
      ["type": "subscriptionGroups", "id": id, "attributes": ["referenceName": name]])
    lists["/v1/apps/\(app)/subscriptionGroups"] = groups[app]
  }

  /// Adds a subscription with its regular prices and introductory offers.
  mutating func addSubscription(
    _ id: String, _ productID: String, name: String, group: String, period: String = "ONE_MONTH",
    level: Int = 1, prices: [Row], introductory: [Row] = []
  ) {
    subscriptions[group, default: []].append([
      "type": "subscriptions", "id": id,
      "attributes": [
        "productId": productID, "name": name, "subscriptionPeriod": period, "groupLevel": level,
      ],
    ])
    lists["/v1/subscriptionGroups/\(group)/subscriptions"] = subscriptions[group]
    lists["/v1/subscriptions/\(id)/prices"] = rows("subscriptionPrices", id, prices)
    lists["/v1/subscriptions/\(id)/introductoryOffers"] = rows(
      "subscriptionIntroductoryOffers", "i\(id)", introductory)
    for list in ["promotionalOffers", "offerCodes", "winBackOffers"] {
      lists["/v1/subscriptions/\(id)/\(list)"] = [[String: Any]]()
    }
  }

  /// Adds an offer of a subscription: its list is `promotionalOffers`, `offerCodes` or
  /// `winBackOffers`.
  mutating func addOffer(
    _ id: String, _ list: String, type: String, of subscription: String,
    _ attributes: [String: Any], prices: [Row]
  ) {
    let path = "/v1/subscriptions/\(subscription)/\(list)"
    let offers = lists[path] as? [[String: Any]] ?? []
    lists[path] = offers + [["type": type, "id": id, "attributes": attributes]]
    lists["/v1/\(type)/\(id)/prices"] = rows("\(type)Prices", id, prices)
  }

  /// Adds a one-time product; a product without a schedule has no price.
  mutating func addPurchase(
    _ id: String, _ productID: String, name: String, type: String, app: String,
    manual: [Row]? = nil, automatic: [Row] = []
  ) {
    purchases[app, default: []].append([
      "type": "inAppPurchases", "id": id,
      "attributes": ["productId": productID, "name": name, "inAppPurchaseType": type],
    ])
    lists["/v1/apps/\(app)/inAppPurchasesV2"] = purchases[app]
    lists["/v2/inAppPurchases/\(id)/offerCodes"] = [[String: Any]]()
    guard let manual else { return }
    lists["/v2/inAppPurchases/\(id)/iapPriceSchedule"] = [
      "type": "inAppPurchasePriceSchedules", "id": id,
    ]
    let schedule = "/v1/inAppPurchasePriceSchedules/\(id)"
    let point = "inAppPurchasePricePoint"
    lists["\(schedule)/manualPrices"] = rows("inAppPurchasePrices", "m\(id)", manual, point)
    lists["\(schedule)/automaticPrices"] = rows("inAppPurchasePrices", "a\(id)", automatic, point)
  }

  /// Adds an instance of a report of App Analytics, whose parts are at `files`.
  ///
  /// - Parameter files: The text of each part by its address.
  mutating func addInstance(
    _ id: String, app: String, report: String, made day: String, at address: String,
    _ files: [(path: String, text: String)]
  ) {
    lists["/v1/apps/\(app)/analyticsReportRequests"] = [
      [
        "type": "analyticsReportRequests", "id": "old",
        "attributes": ["stoppedDueToInactivity": true],
      ],
      ["type": "analyticsReportRequests", "id": "r\(app)"],
    ]
    let reports = "/v1/analyticsReportRequests/r\(app)/reports"
    lists[reports] = [
      [
        "type": "analyticsReports", "id": "0",
        "attributes": ["name": "App Store Purchases Standard"],
      ],
      ["type": "analyticsReports", "id": "1", "attributes": ["name": "\(report) Detailed"]],
      ["type": "analyticsReports", "id": "2", "attributes": ["name": "\(report) Standard"]],
    ]
    let instances = lists["/v1/analyticsReports/2/instances"] as? [[String: Any]] ?? []
    lists["/v1/analyticsReports/2/instances"] =
      instances + [
        ["type": "analyticsReportInstances", "id": id, "attributes": ["processingDate": day]]
      ]
    lists["/v1/analyticsReportInstances/\(id)/segments"] = files.enumerated().map {
      [
        "type": "analyticsReportSegments", "id": "\(id)-\($0.offset)",
        "attributes": ["url": address + $0.element.path],
      ]
    }
    for file in files { self.files[file.path] = file.text }
  }

  /// Adds an app that nobody has asked App Analytics' reports of.
  mutating func addUnasked(app: String) {
    lists["/v1/apps/\(app)/analyticsReportRequests"] = [[String: Any]]()
  }

  private mutating func rows(
    _ type: String, _ owner: String, _ rows: [Row], _ point: String = "subscriptionPricePoint"
  ) -> [[String: Any]] {
    rows.enumerated().map { index, row in
      var relationships: [String: Any] = [
        "territory": ["data": ["type": "territories", "id": row.storefront]]
      ]
      if let amount = row.amount {
        let id = "\(owner)-\(row.storefront)-\(amount)"
        included["\(point)s/\(id)"] = [
          "type": "\(point)s", "id": id,
          "attributes": ["customerPrice": amount, "proceeds": "0.7"],
        ]
        relationships[point] = ["data": ["type": "\(point)s", "id": id]]
      }
      return [
        "type": type, "id": "\(owner)-\(index)", "attributes": row.attributes,
        "relationships": relationships,
      ]
    }
  }

  /// The file that the local service reads its responses from.
  func text() throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: [
        "lists": lists, "included": included, "faults": faults, "page": pageSize,
        "files": files,
      ] as [String: Any], options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}
