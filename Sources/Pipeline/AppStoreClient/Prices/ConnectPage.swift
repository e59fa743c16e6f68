internal import Foundation

/// A page of a response from App Store Connect, in the format of JSON:API.
struct ConnectPage: Decodable, Sendable {
  var resources: [ConnectResource] = []
  /// The resources that the entries of ``resources`` refer to, such as storefronts and price
  /// points.
  ///
  /// Empty if the request did not include them.
  var included: [ConnectResource] = []
  /// The address of the next page, absolute or relative; `nil` on the last page.
  var next: String?

  /// Creates an empty page, for a resource that does not exist.
  init() {}

  /// Reads a response; `nil` if the bytes are not a page.
  init?(_ bytes: [UInt8]) {
    guard let page = try? JSONDecoder().decode(ConnectPage.self, from: Data(bytes)) else {
      return nil
    }
    self = page
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    if let many = try? members.decode([ConnectResource].self, forKey: .data) {
      resources = many
    } else if let one = try members.decodeIfPresent(ConnectResource.self, forKey: .data) {
      resources = [one]
    }
    included = try members.decodeIfPresent([ConnectResource].self, forKey: .included) ?? []
    next = try members.decodeIfPresent(Links.self, forKey: .links)?.next
  }

  private enum Key: CodingKey { case data, included, links }

  private struct Links: Decodable { var next: String? }
}

/// A resource of App Store Connect: an app, a product, a price, a storefront.
struct ConnectResource: Decodable, Sendable {
  var type: String
  var id: String
  var attributes: ConnectAttributes?
  var relationships: [String: ConnectRelationship]?

  func reference(_ name: String) -> ConnectReference? { relationships?[name]?.references.first }
}

/// A reference to a resource; type and id together are unique.
struct ConnectReference: Decodable, Hashable, Sendable {
  var type: String
  var id: String
}

/// The resources that a relationship refers to.
struct ConnectRelationship: Decodable, Sendable {
  var references: [ConnectReference] = []

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    if let many = try? members.decode([ConnectReference].self, forKey: .data) {
      references = many
    } else if let one = try? members.decode(ConnectReference.self, forKey: .data) {
      references = [one]
    }
  }

  private enum Key: CodingKey { case data }
}

/// The attributes of a resource; each kind of resource has only some of them.
struct ConnectAttributes: Decodable, Sendable {
  var bundleId: String?
  var name: String?
  var referenceName: String?
  var productId: String?
  var subscriptionPeriod: String?
  var groupLevel: Int?
  var inAppPurchaseType: String?
  var startDate: String?
  var endDate: String?
  var preserved: Bool?
  var planType: String?
  var customerPrice: String?
  var currency: String?
  var duration: String?
  var offerMode: String?
  var numberOfPeriods: Int?
  var periodCount: Int?
  var offerCode: String?
  var offerId: String?
  /// Whether Apple no longer makes the reports of a request, because nobody fetched them.
  var stoppedDueToInactivity: Bool?
  /// The day on which Apple made an instance of a report.
  var processingDate: String?
  /// The address of a part of an instance.
  var url: String?
}
