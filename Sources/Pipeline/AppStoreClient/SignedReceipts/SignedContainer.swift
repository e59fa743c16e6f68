internal import SwiftASN1

/// The parts of a signed container (PKCS#7) with one signer: `SignedData` of RFC 5652.
struct SignedContainer {
  let content: [UInt8]
  private let certificates: [ArraySlice<UInt8>]
  private let issuerAndSerialNumber: ArraySlice<UInt8>
  private let digest: ASN1ObjectIdentifier
  private let signatureAlgorithm: ArraySlice<UInt8>
  private let signedAttributes: ArraySlice<UInt8>?
  private let signature: ArraySlice<UInt8>

  /// Parses a container in DER or BER.
  init(_ bytes: [UInt8]) throws(LocalFault) {
    do {
      try self.init(BER.parse(bytes))
    } catch let fault as LocalFault {
      throw fault
    } catch {
      throw .notSigned
    }
  }

  private init(_ root: ASN1Node) throws {
    let outer = try Self.parts(root)
    guard outer.count == 2,
      try ASN1ObjectIdentifier(berEncoded: outer[0]) == .signedData,
      let signedData = try Self.parts(outer[1]).first
    else { throw LocalFault.notSigned }
    // version, digestAlgorithms, encapContentInfo, certificates, crls, signerInfos.
    let parts = try Self.parts(signedData)
    guard parts.count >= 4, let signers = parts.last,
      let certificates = parts.dropFirst(3).first(where: { $0.identifier == .tagged(0) })
    else { throw LocalFault.notSigned }
    let encapsulated = try Self.parts(parts[2])
    guard encapsulated.count == 2,
      try ASN1ObjectIdentifier(berEncoded: encapsulated[0]) == .data,
      let octets = try Self.parts(encapsulated[1]).first
    else { throw LocalFault.notSigned }
    content = Array(try ASN1OctetString(berEncoded: octets).bytes)
    self.certificates = try Self.parts(certificates).map(\.encodedBytes)

    let infos = try Self.parts(signers)
    guard infos.count == 1 else { throw LocalFault.notSigned }
    // version, sid, digestAlgorithm, signedAttrs, signatureAlgorithm, signature, unsignedAttrs.
    var info = try Self.parts(infos[0])[...]
    guard info.count >= 5 else { throw LocalFault.notSigned }
    issuerAndSerialNumber = info[1].encodedBytes
    guard let digest = try Self.parts(info[2]).first else { throw LocalFault.notSigned }
    self.digest = try ASN1ObjectIdentifier(berEncoded: digest)
    info = info.dropFirst(3)
    if let next = info.first, next.identifier == .tagged(0) {
      signedAttributes = next.encodedBytes
      info = info.dropFirst()
    } else {
      signedAttributes = nil
    }
    guard info.count >= 2, let algorithm = info.first else { throw LocalFault.notSigned }
    signatureAlgorithm = try Self.algorithm(algorithm, digest: self.digest)
    signature = try ASN1OctetString(berEncoded: info[info.startIndex + 1]).bytes
  }

  /// Returns the container in the only form that the verifier accepts.
  ///
  /// Apple's containers name the signature algorithm `rsaEncryption`, and separately a digest
  /// algorithm with an empty parameter. The verifier requires one combined algorithm, such as RSA
  /// with SHA-256 (RFC 5754). The signature does not cover these fields, so they may be changed.
  func canonical() throws(LocalFault) -> [UInt8] {
    do {
      var serializer = DER.Serializer()
      try serializer.appendConstructedNode(identifier: .sequence) { coder in
        try coder.serialize(ASN1ObjectIdentifier.signedData)
        try coder.appendConstructedNode(identifier: .tagged(0)) { coder in
          try coder.appendConstructedNode(identifier: .sequence) { try appendSignedData(to: &$0) }
        }
      }
      return serializer.serializedBytes
    } catch {
      throw .notSigned
    }
  }

  private func appendSignedData(to coder: inout DER.Serializer) throws {
    coder.serializeRawBytes(Self.versionOne)
    try coder.appendConstructedNode(identifier: .set) { try appendDigest(to: &$0) }
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(ASN1ObjectIdentifier.data)
      try coder.appendConstructedNode(identifier: .tagged(0)) { coder in
        try coder.serialize(ASN1OctetString(contentBytes: content[...]))
      }
    }
    coder.appendConstructedNode(identifier: .tagged(0)) { coder in
      // A set in DER is sorted. In Apple's containers the signer's certificate is first.
      let sorted = certificates.sorted { $0.lexicographicallyPrecedes($1) }
      for certificate in sorted { coder.serializeRawBytes(certificate) }
    }
    try coder.appendConstructedNode(identifier: .set) { coder in
      try coder.appendConstructedNode(identifier: .sequence) { coder in
        coder.serializeRawBytes(Self.versionOne)
        coder.serializeRawBytes(issuerAndSerialNumber)
        try appendDigest(to: &coder)
        if let signedAttributes { coder.serializeRawBytes(signedAttributes) }
        coder.serializeRawBytes(signatureAlgorithm)
        try coder.serialize(ASN1OctetString(contentBytes: signature))
      }
    }
  }

  private func appendDigest(to coder: inout DER.Serializer) throws {
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(digest)
      if digest == .sha1 { try coder.serialize(ASN1Null()) }
    }
  }

  private static let versionOne: [UInt8] = [0x02, 0x01, 0x01]

  /// Encodes a signature algorithm; combines `rsaEncryption` with its digest algorithm.
  private static func algorithm(_ node: ASN1Node, digest: ASN1ObjectIdentifier) throws
    -> ArraySlice<UInt8>
  {
    guard let name = try parts(node).first else { throw LocalFault.notSigned }
    guard try ASN1ObjectIdentifier(berEncoded: name) == .rsaEncryption else {
      return node.encodedBytes
    }
    guard let whole = ASN1ObjectIdentifier.rsaSignatures[digest] else {
      throw LocalFault.signatureUnsupported
    }
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(whole)
      try coder.serialize(ASN1Null())
    }
    return serializer.serializedBytes[...]
  }

  private static func parts(_ node: ASN1Node) throws -> [ASN1Node] {
    switch node.content {
    case .constructed(let nodes): return Array(nodes)
    case .primitive: throw LocalFault.notSigned
    }
  }
}

extension ASN1Identifier {
  fileprivate static func tagged(_ number: UInt) -> ASN1Identifier {
    ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
  }
}

extension ASN1ObjectIdentifier {
  fileprivate static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
  fileprivate static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
  fileprivate static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
  fileprivate static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]

  /// The signature algorithm that combines RSA (PKCS#1 version 1.5) and a digest, keyed by digest.
  fileprivate static let rsaSignatures: [ASN1ObjectIdentifier: ASN1ObjectIdentifier] = [
    sha1: [1, 2, 840, 113_549, 1, 1, 5],
    [2, 16, 840, 1, 101, 3, 4, 2, 1]: [1, 2, 840, 113_549, 1, 1, 11],
    [2, 16, 840, 1, 101, 3, 4, 2, 2]: [1, 2, 840, 113_549, 1, 1, 12],
    [2, 16, 840, 1, 101, 3, 4, 2, 3]: [1, 2, 840, 113_549, 1, 1, 13],
  ]
}
